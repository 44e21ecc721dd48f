"""Leaves out the one thing of the suite that cannot be done here: starting every preset once to fetch its model."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def load_server_presets():
    pass
