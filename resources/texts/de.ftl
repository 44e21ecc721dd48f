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
settings-density-hint = Abstand der Zeilen in Listen und Einstellungen
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

## The rail

rail-chat = Chat
rail-discover = Entdecken
rail-models = Meine Modelle
rail-server = Server
rail-downloads = Downloads
rail-settings = Einstellungen

## Shortcuts and keys

settings-shortcuts-hint = Klick die Tasten einer Aktion an und drück dann andere.
settings-shortcut-reset = Übliche Tasten
settings-shortcut-reset-all = Alle zurücksetzen
shortcut-press = Tasten drücken. Esc bricht ab, Entf löscht
shortcut-none = Keine
shortcut-taken = { $keys } gehört schon zu „{ $other }“. Gib dem zuerst andere Tasten.
shortcut-fault-types = Mit diesen Tasten schreibt man. Nimm Strg, Cmd oder Alt dazu.
shortcut-fault-edits = Diese Tasten brauchen die Textfelder.
shortcut-palette = Befehlspalette öffnen
shortcut-search = Chats durchsuchen
shortcut-new-chat = Neuer Chat
shortcut-rename = Umbenennen
shortcut-chat-above = Vorheriger Chat
shortcut-chat-below = Nächster Chat
shortcut-regenerate = Antwort neu erzeugen
shortcut-older-version = Vorherige Fassung der Antwort
shortcut-newer-version = Nächste Fassung der Antwort
shortcut-copy-answer = Letzte Antwort kopieren
shortcut-insert = Nachricht ohne Antwort anfügen
shortcut-pick-model = Modell wählen
shortcut-eject = Modell auswerfen
shortcut-show-panel = Einstellungen des Chats
shortcut-show-chat = Chats zeigen
shortcut-show-discover = Entdecken zeigen
shortcut-show-models = Meine Modelle zeigen
shortcut-show-server = Server zeigen
shortcut-show-downloads = Downloads zeigen
shortcut-show-settings = Einstellungen zeigen
shortcut-zoom-in = Größer
shortcut-zoom-out = Kleiner
shortcut-zoom-usual = Übliche Größe
key-control = Strg
key-command = Cmd
key-alt = Alt
key-option = Option
key-shift = Umschalt
key-left = Links
key-right = Rechts
key-up = Hoch
key-down = Runter
key-home = Pos1
key-end = Ende
key-page-up = Bild auf
key-page-down = Bild ab
key-enter = Enter
key-space = Leertaste
key-delete = Entf
key-backspace = Rücktaste

## Menus, questions and the palette

palette-commands = Befehle
palette-models = Modelle
palette-chats = Chats
command-load = { $model } laden
command-new-folder = Neuer Ordner
command-import = Chats importieren
command-eject = { $model } auswerfen
command-light-theme = Helles Farbschema
command-dark-theme = Dunkles Farbschema
command-zoom-in = Vergrößern
command-zoom-out = Verkleinern
command-zoom-usual = Zoom zurücksetzen
key-escape = Esc
command-stop = Antwort anhalten
command-continue = Antwort fortsetzen
command-pin = Diesen Chat anheften
command-unpin = Diesen Chat lösen
command-rename = Diesen Chat umbenennen
command-duplicate = Diesen Chat duplizieren
command-export-markdown = Diesen Chat als Markdown exportieren
command-export-json = Diesen Chat als JSON exportieren
command-delete = Diesen Chat löschen
menu-as-markdown = Als Markdown, zum Lesen
menu-as-json = Als JSON, zum Wiedereinlesen
menu-rename = Umbenennen
menu-delete = Löschen
menu-send = Senden
menu-add-message = Ohne Antwort anfügen
menu-add-answer = Als Antwort anfügen
menu-unpin = Lösen
menu-pin = Anheften
menu-move = In Ordner verschieben
menu-duplicate = Duplizieren
action-export = Exportieren
menu-no-folder = Kein Ordner
menu-copy-markdown = Als Markdown kopieren
menu-copy-plain = Als reinen Text kopieren
menu-edit = Bearbeiten
menu-answer = Beantworten
menu-regenerate = Neu erzeugen
menu-continue = Fortsetzen
menu-branch = Von hier abzweigen
path-export-markdown-title = Als Markdown exportieren
path-export-json-title = Als JSON exportieren
path-import-title = Chats importieren
path-export-preset-title = Vorlage exportieren
path-import-preset-title = Vorlage importieren
path-export-markdown-text = Die Nachrichten, die zu sehen sind, zum Lesen. Eine Datei, die schon da ist, bleibt, wie sie ist.
path-export-json-text = Alle Fassungen aller Nachrichten, zum Wiedereinlesen. Eine Datei, die schon da ist, bleibt, wie sie ist.
path-import-text = Aus einer Datei, die Hearth, ChatGPT oder LM Studio exportiert hat.
path-export-preset-text = Die Vorlage mit allem, was sie festlegt, zum Einlesen anderswo. Eine Datei, die schon da ist, bleibt, wie sie ist.
path-import-preset-text = Aus einer Datei, die Hearth exportiert hat.
action-import = Importieren
path-missing = Gib den Pfad einer Datei ein oder wähl eine aus.
link-open-title = Diesen Link öffnen?
link-never-title = Dieser Link lässt sich nicht öffnen
link-open-text = Er führt zu keiner Webseite: Ein anderes Programm öffnet ihn oder eine Datei auf diesem Rechner.
link-never-text = Seine Adresse gibt Hearth an kein anderes Programm weiter. Du kannst sie kopieren.
link-copy = Adresse kopieren
action-open = Öffnen
path-empty = Pfad der Datei
path-browse = Durchsuchen
palette-empty = Befehle, Modelle und Chats suchen
palette-nothing = Nichts gefunden
palette-move = Hoch und Runter wählen
palette-run = Enter führt aus
palette-signs = > nur Befehle, @ nur Chats, # nur Modelle
action-eject = Auswerfen
picker-empty-title = Noch keine Modelle
picker-empty-text = Leg eine GGUF-Datei in den Modellordner. Wo er ist, steht in den Einstellungen.
picker-words = Deine Modelle durchsuchen
picker-no-match-title = Kein Modell passt
picker-no-match-text = Versuch es mit einem Teil des Namens oder der Quantisierung.
ability-vision = Sehen
ability-tools = Werkzeuge
ability-reasoning = Denken
ability-embedding = Einbetten

## Days, lists, models, and what went right or wrong

date-today = Heute
date-yesterday = Gestern
date-last-week = Letzte Woche
date-earlier = Früher
date-weekday = { $weekday ->
     [1] Mo
     [2] Di
     [3] Mi
     [4] Do
     [5] Fr
     [6] Sa
    *[7] So
    }
date-month = { $month ->
     [1] Januar
     [2] Februar
     [3] März
     [4] April
     [5] Mai
     [6] Juni
     [7] Juli
     [8] August
     [9] September
     [10] Oktober
     [11] November
    *[12] Dezember
    }
date-month-and-year = { $month ->
     [1] Januar
     [2] Februar
     [3] März
     [4] April
     [5] Mai
     [6] Juni
     [7] Juli
     [8] August
     [9] September
     [10] Oktober
     [11] November
    *[12] Dezember
    } { $year }
date-day = { $day }. { $month ->
     [1] Jan.
     [2] Feb.
     [3] März
     [4] Apr.
     [5] Mai
     [6] Juni
     [7] Juli
     [8] Aug.
     [9] Sept.
     [10] Okt.
     [11] Nov.
    *[12] Dez.
    }
date-day-and-year = { $day }. { $month ->
     [1] Jan.
     [2] Feb.
     [3] März
     [4] Apr.
     [5] Mai
     [6] Juni
     [7] Juli
     [8] Aug.
     [9] Sept.
     [10] Okt.
     [11] Nov.
    *[12] Dez.
    } { $year }
list-pinned = Angeheftet
list-folders = Ordner
search-titles = Titel
search-messages = Nachrichten
picker-loaded = Geladen
picker-here = Auf diesem Rechner
picker-loading = Wird geladen
load-cancelling = { $model } wird abgebrochen
load-loading = { $model } wird geladen
header-cancelling = Wird abgebrochen
header-loading = Lädt, { $share }
header-loaded = Geladen, { $size }
header-generating = Schreibt
header-ejecting = Wird ausgeworfen
header-failed = Nicht geladen
header-choose = Modell wählen
header-nothing-loaded = Keins geladen
header-loading-model = Ein Modell lädt
header-reading = Liest die Eingabe
failed-link = Der Link ging nicht auf
failed-read-settings = Die Einstellungen ließen sich nicht lesen
failed-write-settings = Die Einstellungen wurden nicht gespeichert
failed-keep-draft = Was Du tippst, wird nicht aufgehoben
failed-list-models = Deine Modelle ließen sich nicht auflisten
failed-anything = Das hat nicht geklappt
failed-delete-message = Die Nachricht wurde nicht gelöscht
failed-read-chats = Deine Chats ließen sich nicht lesen
failed-delete-chat = Der Chat wurde nicht gelöscht
failed-make-folder = Der Ordner wurde nicht angelegt
failed-rename-folder = Der Ordner wurde nicht umbenannt
failed-delete-folder = Der Ordner wurde nicht gelöscht
failed-read-draft = Was Du zuletzt getippt hast, ließ sich nicht lesen
failed-eject = Das Modell wurde nicht ausgeworfen
failed-engine = Die Rechenmaschine hat sich beendet
failed-server = Der Server meldet sich nicht mehr
failed-read-keys = Die API-Schlüssel ließen sich nicht lesen
failed-make-key = Der Schlüssel wurde nicht angelegt
failed-revoke-key = Der Schlüssel wurde nicht widerrufen
failed-send = Die Nachricht wurde nicht gesendet
failed-regenerate = Die Antwort wurde nicht neu erzeugt
failed-insert = Die Nachricht wurde nicht angefügt
failed-edit = Die Nachricht wurde nicht geändert
failed-version = Die andere Fassung wird nicht gezeigt
failed-rename-chat = Der Chat wurde nicht umbenannt
failed-pin-chat = Der Chat wurde nicht angeheftet oder gelöst
failed-move-chat = Der Chat wurde nicht verschoben
failed-duplicate-chat = Der Chat wurde nicht dupliziert
failed-branch-chat = Der Chat wurde nicht abgezweigt
failed-export = Der Chat wurde nicht exportiert
failed-import = Die Chats wurden nicht importiert
failed-store-answer-in = Die Antwort in „{ $chat }“ ist noch nicht gespeichert
failed-answer-in = Die Antwort in „{ $chat }“ brach ab
deleted-chat = Chat gelöscht
deleted-message = Nachricht gelöscht
failed-undo = Was gelöscht wurde, kam nicht zurück
action-undo = Rückgängig
action-show = Zeigen
confirm-delete-folder = Den Ordner „{ $folder }“ löschen?
confirm-delete-folder-text = { $chats ->
        [0] Es liegt kein Chat darin.
        [one] Der Chat darin bleibt, außerhalb des Ordners.
       *[other] Die { $chats } Chats darin bleiben, außerhalb des Ordners.
    }
confirm-delete-folder-button = Ordner löschen
done-exported = Chat exportiert
done-imported = { $chats ->
        [0] Keine neuen Chats
        [one] 1 Chat importiert
       *[other] { $chats } Chats importiert
    }
imported-known = { $chats ->
        [one] 1 war schon importiert und ist noch da.
       *[other] { $chats } waren schon importiert und sind noch da.
    }
imported-empty = { $chats ->
        [one] 1 enthält keine Nachricht.
       *[other] { $chats } enthalten keine Nachricht.
    }
failed-load = { $model } wurde nicht geladen

## The list of chats

list-title = Chats
list-search-empty = Chats durchsuchen
list-leave-search = Suche verlassen  Esc
list-empty-title = Noch keine Chats
list-empty-text = Chats, die Du beginnst, stehen hier.
list-stays-here = Chats bleiben auf diesem Rechner.
list-nothing-sent = Nichts wird irgendwohin gesendet.
action-more = Mehr
search-nothing-title = Kein Chat passt
search-nothing-text = Versuch ein anderes Wort.
search-clear = Suche leeren
search-failed = Die Suche ist gescheitert

## The conversation

tip-older-version = Vorherige Fassung
tip-newer-version = Nächste Fassung
action-copy = Kopieren
message-copied = Kopiert
composer-send = Senden  Enter
composer-stop = Anhalten  Esc
conversation-newest = Neueste
edit-hint = Esc bricht ab
edit-save = Speichern
edit-save-and-answer = Speichern und beantworten
queue-remove = Nicht senden
action-try-again = Noch einmal versuchen
chat-unreadable = Dieser Chat ließ sich nicht lesen
composer-hint = Enter sendet  ·  Umschalt Enter beginnt eine neue Zeile
formula-copy = Formel als LaTeX kopieren
code-wrap = Umbrechen
greeting-look = Noch einmal nachsehen
list-folder-name = Name des Ordners
message-answer = Antwort

## An empty chat, the composer, and waiting

suggestion-tidy = Einen Absatz glätten
suggestion-tidy-hint = Text einfügen und Ton nennen
suggestion-tidy-draft = Glätte diesen Absatz in freundlichem Ton:
suggestion-explain = Code erklären
suggestion-explain-hint = Zeile für Zeile, in einfachen Worten
suggestion-explain-draft = Erkläre diesen Code Zeile für Zeile, in einfachen Worten:
suggestion-summarise = Einen Text zusammenfassen
suggestion-summarise-hint = Einfügen und die Hauptpunkte bekommen
suggestion-summarise-draft = Fasse diesen Text in drei Punkten zusammen:
suggestion-choose = Eine Wahl durchdenken
suggestion-choose-hint = Möglichkeiten und ihr Für und Wider
suggestion-choose-draft = Hilf mir bei der Entscheidung. Stell die Möglichkeiten und ihr Für und Wider dar:
composer-no-model = Wähl zuerst ein Modell
composer-read-only = Diese Chats lassen sich nur lesen
composer-no-storage = Chats lassen sich nicht speichern
composer-restart = Starte Hearth neu, damit es weitergeht
composer-next = Schreib schon die nächste Nachricht
composer-empty = Schreib eine Nachricht
greeting-missing-title = Es gibt noch kein Modell
greeting-missing-text = Leg eine Modelldatei, die auf .gguf endet, in { $folder } und sieh noch einmal nach.
greeting-loaded = { $model } ist geladen und läuft auf diesem Rechner.
greeting-starter = Ein kleines Startmodell läuft auf diesem Rechner. Es lädt mit Deiner ersten Nachricht.
greeting-model = Dein Modell läuft auf diesem Rechner. Es lädt mit Deiner ersten Nachricht.
greeting-title = Was möchtest Du fragen?
waiting-stopping = Hält an
waiting-model = Wartet auf das Modell
waiting-loading = Lädt das Modell
waiting-reading = Liest die Eingabe
