//! One download from what was asked for to files with their names.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hearth_protocol::settings::DownloadPlace;
use hearth_protocol::{Error, FileId, ModelId, Result};
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::Surroundings;
use super::choose::choose;
use super::disk::{Disk, Written};
use super::limiter::Limiter;
use super::place::{FilePlace, Places};
use super::progress::Progress;
use super::ranges::Ranges;
use super::room::Room;
use super::side_file::{FileRecord, FileSet, Record, SideFile, Stage};
use super::there::{is_as_long, is_same};
use super::transfer::{self, Source};
use crate::files::blocking;
use crate::hub::Hub;
use crate::hub::shapes::RepoFile;

/// The branch that is meant where none is named.
const MAIN: &str = "main";

/// Times that a model's new name is followed. One should do.
const MAX_RENAMES: u32 = 3;

/// Times that the hub's wish to wait is heeded before the download is paused.
const MAX_WAITS: u32 = 5;

/// Times that missing files are fetched, since somebody may remove some meanwhile. Once is the rule.
const MAX_ROUNDS: u32 = 4;

/// What a run works with.
pub(super) struct Job {
    pub(super) hub: Hub,
    pub(super) places: Places,
    pub(super) side: Arc<SideFile>,
    pub(super) progress: Arc<Progress>,
    pub(super) limiter: Limiter,
    pub(super) surroundings: Arc<Surroundings>,
    pub(super) room: Room,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// Every file has its name.
    Done {
        /// Whether each was compared with its hash.
        verified: bool,
        /// The library's file.
        file: Option<FileId>,
    },
    /// It was told to stop.
    Stopped,
    /// Something is in the way that may go.
    Paused(Error),
    /// Something is in the way that stays.
    Failed(Error),
}

/// Runs until the end, or until `stop` says so. What is on the disk then is noted in the side file.
pub(super) async fn run(job: &Job, mut stop: watch::Receiver<bool>) -> End {
    match job.work(&mut stop).await {
        Ok((verified, file)) => End::Done { verified, file },
        Err(Error::Cancelled) => End::Stopped,
        Err(
            error @ (Error::Offline { .. }
            | Error::HubDown { .. }
            | Error::TooManyRequests { .. }
            | Error::Transfer { .. }
            | Error::DiskFull { .. }),
        ) => End::Paused(error),
        Err(error) => End::Failed(error),
    }
}

impl Job {
    /// All of it; [`Error::Cancelled`] where it was told to stop.
    async fn work(&self, stop: &mut watch::Receiver<bool>) -> Result<(bool, Option<FileId>)> {
        let set = match self.side.read(|record| record.set.clone()) {
            Some(set) => set,
            None => {
                let set = unless(stop, self.look_up()).await?;
                let noted = set.clone();
                self.note(|record| record.set = Some(noted)).await?;
                set
            }
        };
        self.side.read(|record| self.places.check_names(record))?;
        self.progress
            .begin(set.files.iter().map(FileRecord::done).collect());
        self.gather(set.files.len(), stop).await?;
        let (model, place, revision) = self.request();
        let (places, record) = (self.places.clone(), self.side.read(Record::clone));
        let file = blocking(move || {
            places.note_revision(place, &model, &revision, &set.commit)?;
            Ok(places.library_file(&record))
        });
        let all_hashed = |set: &FileSet| set.files.iter().all(|file| file.sha256.is_some());
        let verified = self
            .side
            .read(|record| record.set.as_ref().is_some_and(all_hashed));
        Ok((verified, file.await?))
    }

    /// Finds or fetches so many files until all of them are there at once: one that was there at first may be gone when
    /// the last has come.
    async fn gather(&self, files: usize, stop: &mut watch::Receiver<bool>) -> Result<()> {
        let mut inside = None;
        for round in 0..=MAX_ROUNDS {
            let mut missing = Vec::new();
            for index in 0..files {
                if self.find(index).await? == Stage::Fetching {
                    missing.push(index);
                }
            }
            if missing.is_empty() {
                return Ok(());
            }
            if round == MAX_ROUNDS {
                break;
            }
            if inside.is_none() {
                let (room, side) = (self.room.clone(), Arc::clone(&self.side));
                inside = Some(blocking(move || room.enter(&side)).await?);
            }
            for index in missing {
                self.fetch(index, stop).await?;
            }
        }
        let folder = |record: &Record| self.places.folder(record.place, &record.request.model);
        Err(Error::File {
            path: self.side.read(folder).display().to_string(),
            reason: "files of this download go as often as they come; see what removes them, then try again"
                .into(),
        })
    }

    /// Model, place and revision.
    fn request(&self) -> (ModelId, DownloadPlace, String) {
        self.side.read(|record| {
            let revision = record.request.revision.clone().unwrap_or_else(|| MAIN.to_owned());
            (record.request.model.clone(), record.place, revision)
        })
    }

    /// Asks the hub which files are meant. A model that has another name by now is followed there, as other programs do,
    /// and is called so from then on.
    async fn look_up(&self) -> Result<FileSet> {
        let (mut model, _, revision) = self.request();
        let (mut waits, mut renames) = (0, 0);
        let info = loop {
            match self.hub.model(&model, &revision).await {
                Err(Error::Renamed { to, .. }) if renames < MAX_RENAMES => {
                    renames += 1;
                    model = to.as_str().into();
                }
                Err(Error::TooManyRequests { seconds }) if waits < MAX_WAITS => {
                    waits += 1;
                    let trouble = Error::TooManyRequests { seconds };
                    self.progress.set_trouble(Some(trouble.to_string()));
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                }
                answer => break answer?,
            }
        };
        self.progress.set_trouble(None);
        let wanted = self.side.read(|record| record.request.file.clone());
        let commit = info.sha.and_then(|sha| crate::hub::shapes::hexadecimal(sha, 40));
        let commit = commit.ok_or_else(|| Error::HubDown {
            reason: "it does not say which commit the model has".into(),
        })?;
        let mut files = Vec::new();
        for file in choose(&info.siblings, wanted.as_deref(), model.as_str())? {
            let size = match file.size {
                Some(size) => size,
                None => self
                    .hub
                    .locate(&model, &commit, &file.path)
                    .await?
                    .size
                    .ok_or_else(|| Error::HubDown {
                        reason: format!("it does not say how long {} is", file.path),
                    })?,
            };
            files.push(new_file(file, size, &commit));
        }
        if renames > 0 {
            self.note(|record| record.rename(model)).await?;
        }
        Ok(FileSet { commit, files })
    }

    fn file(&self, index: usize) -> Result<(FilePlace, FileRecord)> {
        self.side.read(|record| {
            let set = record.set.as_ref();
            let found = set.and_then(|set| Some((set, set.files.get(index)?)));
            let (set, file) = found.ok_or_else(|| Error::internal("a download without files"))?;
            let place = self
                .places
                .file(record.place, &record.request.model, &set.commit, file);
            Ok((place, file.clone()))
        })
    }

    /// Takes a file that is there already: because another program or an earlier download fetched it, or because a kill
    /// came between its last byte and its name. Gives how far it is then.
    async fn find(&self, index: usize) -> Result<Stage> {
        let (place, file) = self.file(index)?;
        let stage = blocking(move || {
            Ok(match file.stage {
                Stage::Naming if place.settle_left(&file)? => Stage::Fetched,
                Stage::Fetched | Stage::Found if place.is_whole(file.size) => file.stage,
                _ if place.whole.exists() && is_same(&place, &file)? => {
                    place.point()?;
                    place.remove_partial()?;
                    match file.stage {
                        Stage::Fetched => Stage::Fetched,
                        _ => Stage::Found,
                    }
                }
                _ => Stage::Fetching,
            })
        });
        let stage = stage.await?;
        self.set_stage(index, stage).await?;
        Ok(stage)
    }

    /// Fetches a file, compares it and gives it its name.
    async fn fetch(&self, index: usize, stop: &mut watch::Receiver<bool>) -> Result<()> {
        let Some((disk, file)) = self.open(index, stop).await? else {
            return Ok(());
        };
        let (place, _) = self.file(index)?;
        let source = Arc::new(self.source(&file));
        let fetching = transfer::fetch(source, file.have.gaps(file.size), disk.pieces.clone());
        let fetched = unless(stop, fetching).await;
        self.progress.set_verifying(fetched.is_ok());
        let closed = disk.close().await;
        self.progress.set_verifying(false);
        // The writer's error explains the other one. Its hold on the file lasts until that has its name.
        let (written, gathered) = closed?;
        if fetched.is_err() && self.file(index)?.1.have.total() == 0 {
            // What was refused leaves nothing behind.
            let place = place.clone();
            blocking(move || place.remove_partial()).await?;
        }
        fetched?;
        match written {
            Written::Partly => Err(Error::internal("a file ended early and nobody said why")),
            Written::Whole(hash) if hash.is_some() && hash != file.sha256 => {
                // What the hub promised may itself be old: next time it is asked anew.
                self.note(|record| record.set = None).await?;
                blocking(move || place.remove_partial()).await?;
                self.progress.begin(Vec::new());
                Err(Error::WrongHash { file: file.path })
            }
            Written::Whole(_) => {
                self.set_stage(index, Stage::Naming).await?;
                blocking(move || place.settle(&gathered, file.size)).await?;
                self.set_stage(index, Stage::Fetched).await
            }
        }
    }

    /// Opens a file once no other download writes to it; `None` where it is whole by then.
    async fn open(
        &self,
        index: usize,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Option<(Disk, FileRecord)>> {
        loop {
            let (place, file) = self.file(index)?;
            if file.stage != Stage::Fetching {
                return Ok(None);
            }
            let (side, progress) = (Arc::clone(&self.side), Arc::clone(&self.progress));
            let opening = blocking(move || {
                let (disk, file) = Disk::open(&place, &side, index, &progress)?;
                let is_there = is_as_long(&place, &file);
                Ok((disk, file, is_there))
            });
            match opening.await {
                Err(busy @ Error::Busy { .. }) => self.progress.set_trouble(Some(busy.to_string())),
                opened => {
                    let (disk, file, is_there) = opened?;
                    if !is_there {
                        return Ok(Some((disk, file)));
                    }
                    // Another download has given it its name since it was looked for.
                    disk.close().await?;
                    self.find(index).await?;
                    continue;
                }
            }
            let rest = tokio::time::sleep(self.surroundings.room);
            let rest = async {
                rest.await;
                Ok(())
            };
            unless(stop, rest).await?;
            self.find(index).await?;
        }
    }

    fn source(&self, file: &FileRecord) -> Source {
        let (model, commit) = self.side.read(|record| {
            let commit = record.set.as_ref().map(|set| set.commit.clone());
            (record.request.model.clone(), commit.unwrap_or_default())
        });
        Source {
            hub: self.hub.clone(),
            model,
            commit,
            path: file.path.clone(),
            size: file.size,
            has_hash: file.sha256.is_some(),
            limiter: self.limiter.clone(),
            progress: Arc::clone(&self.progress),
            surroundings: Arc::clone(&self.surroundings),
            etag: Mutex::new(file.etag.clone()),
            heeds_etags: AtomicBool::new(true),
            location: tokio::sync::Mutex::default(),
        }
    }

    async fn set_stage(&self, index: usize, stage: Stage) -> Result<()> {
        self.note(move |record| {
            let files = record.set.as_mut().map(|set| &mut set.files);
            if let Some(file) = files.and_then(|files| files.get_mut(index)) {
                if stage == Stage::Fetching && file.stage != Stage::Fetching {
                    file.reset();
                }
                file.stage = stage;
            }
        })
        .await?;
        self.progress.set_done(index, self.file(index)?.1.done());
        Ok(())
    }

    async fn note(&self, change: impl FnOnce(&mut Record) + Send + 'static) -> Result<()> {
        let side = Arc::clone(&self.side);
        blocking(move || side.update(change)).await
    }
}

fn new_file(file: RepoFile, size: u64, commit: &str) -> FileRecord {
    let made_up = || {
        let digest = Sha256::digest(format!("{commit}/{}", file.path));
        digest.iter().take(20).map(|byte| format!("{byte:02x}")).collect()
    };
    let blob = file.sha256.clone().or_else(|| file.blob_id.clone());
    FileRecord {
        size,
        blob: blob.unwrap_or_else(made_up),
        sha256: file.sha256,
        path: file.path,
        have: Ranges::default(),
        hashed: None,
        etag: None,
        mark: None,
        stage: Stage::Fetching,
    }
}

/// Does the work, unless it is to stop before.
async fn unless<T>(stop: &mut watch::Receiver<bool>, work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::select! {
        biased;
        // The sender goes when the queue ends.
        _ = stop.wait_for(|stop| *stop) => Err(Error::Cancelled),
        outcome = work => outcome,
    }
}
