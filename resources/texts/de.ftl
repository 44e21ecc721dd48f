# Was das Fenster auf Deutsch sagt. Es spricht die Leserin und den Leser mit Du an und bleibt kurz.

## Words of many places

action-cancel = Abbrechen
action-close = Schließen

## Pages that are not here yet

discover-not-yet-title = Entdecken gibt es noch nicht
discover-not-yet-text = Modelle zu suchen und herunterzuladen kommt mit einer späteren Version.
models-not-yet-title = Meine Modelle gibt es noch nicht
models-not-yet-text = Modelldateien zu verwalten kommt mit einer späteren Version. Laden kannst Du sie schon im Chat.
downloads-not-yet-title = Downloads gibt es noch nicht
downloads-not-yet-text = Sie kommen zusammen mit Entdecken in einer späteren Version.

## Settings

settings-title = Einstellungen
settings-general = Allgemein
settings-shortcuts = Tastenkürzel
settings-about = Über Hearth
settings-appearance = Darstellung
settings-theme = Farbschema
settings-theme-system = System
settings-theme-light = Hell
settings-theme-dark = Dunkel
settings-accent = Akzentfarbe
settings-accent-ember = Glut
settings-accent-moss = Moos
settings-accent-lake = See
settings-accent-iris = Iris
settings-accent-rose = Rose
settings-language = Sprache
settings-language-hint = Gilt sofort
settings-language-system = System
settings-text-size = Schriftgröße
settings-text-size-hint = Nachrichten und Code
settings-text-size-small = Klein
settings-text-size-default = Normal
settings-text-size-large = Groß
settings-density = Dichte
settings-density-hint = Abstand der Zeilen in Listen und Menüs
settings-density-comfortable = Bequem
settings-density-compact = Kompakt
settings-zoom = Zoom
settings-zoom-hint = Das ganze Fenster
settings-zoom-smaller = Kleiner
settings-zoom-larger = Größer
settings-zoom-usual = Zurücksetzen
zoom-value = { $percent } %
settings-data = Daten
settings-data-chats = Chats und Einstellungen
settings-data-models = Modelle
settings-version = Version
