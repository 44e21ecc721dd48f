"""Takes the chat templates out of the archive, which is the first argument, into the folder, which is the second."""

import pathlib
import sys
import tarfile

with tarfile.open(sys.argv[1]) as archive:
    for member in archive:
        path = pathlib.PurePosixPath(member.name)
        if member.isfile() and path.match("models/templates/*.jinja"):
            pathlib.Path(sys.argv[2], path.name).write_bytes(archive.extractfile(member).read())
