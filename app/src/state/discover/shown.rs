//! The model whose details are shown: what is known of it, and for how long a context its files are reckoned.

use hearth_protocol::catalogue::{CatalogueFile, DetailsEvent, DetailsRequest, FileRole, ModelDetails};
use hearth_protocol::download::DownloadRequest;
use hearth_protocol::{Error, ModelId};

use crate::effect::Run;

/// Fewest tokens of context that files are reckoned for.
const SHORTEST: u32 = 1024;
/// Most of them where nobody knows how many a model was trained for.
const LONGEST: u32 = 131_072;

/// Names a file of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileName {
    /// The repository.
    pub(crate) repository: ModelId,
    /// Its name there.
    pub(crate) name: String,
}

impl FileName {
    /// That of a file.
    pub(crate) fn of(file: &CatalogueFile) -> Self {
        Self {
            repository: file.repository.clone(),
            name: file.name.clone(),
        }
    }

    /// What downloads it.
    pub(crate) fn request(&self) -> DownloadRequest {
        DownloadRequest {
            model: self.repository.clone(),
            file: Some(self.name.clone()),
            revision: None,
        }
    }
}

/// The model whose details are shown.
#[derive(Debug)]
pub(crate) struct Shown {
    /// Which.
    pub(crate) model: ModelId,
    /// What is known of it; `None` until something is.
    pub(crate) details: Option<ModelDetails>,
    /// Why no more is known.
    pub(super) failure: Option<Error>,
    /// The file whose memory is told, where it is not the recommended one: its name, or its quantisation.
    pub(super) looked_at: Option<String>,
    /// The context that was asked for, in tokens.
    context: Option<u32>,
    run: Option<Run>,
}

impl Shown {
    /// A model of which nothing is known yet, and one of its files where a link leads to that.
    pub(in crate::state) fn new(model: ModelId, file: Option<String>) -> Self {
        Self {
            model,
            details: None,
            failure: None,
            looked_at: file,
            context: None,
            run: None,
        }
    }

    /// Begins to ask.
    pub(in crate::state) fn begin(&mut self, run: Run) -> DetailsRequest {
        self.run = Some(run);
        self.failure = None;
        DetailsRequest {
            context_length: self.context,
            file: self.looked_at.clone(),
            ..DetailsRequest::of(self.model.clone())
        }
    }

    /// Takes news; those of an older question change nothing. Gives what is known where that is new.
    pub(in crate::state) fn take(&mut self, run: Run, event: DetailsEvent) -> Option<&ModelDetails> {
        if self.run != Some(run) {
            return None;
        }
        match event {
            DetailsEvent::Details(details) => {
                self.details = Some(*details);
                return self.details.as_ref();
            }
            DetailsEvent::Finished => self.run = None,
            DetailsEvent::Failed(error) => {
                self.run = None;
                self.failure = Some(error);
            }
        }
        None
    }

    /// Whether more is to come.
    pub(super) fn is_asking(&self) -> bool {
        self.run.is_some()
    }

    /// Its files that are models.
    pub(in crate::state) fn files(&self) -> impl Iterator<Item = &CatalogueFile> {
        let files = self.details.iter().flat_map(|details| &details.files);
        files.filter(|file| file.role == FileRole::Model)
    }

    /// The file to take on this machine.
    pub(super) fn recommended(&self) -> Option<&CatalogueFile> {
        self.files().find(|file| file.recommended.is_some())
    }

    /// The file whose memory is told.
    pub(super) fn looked_at(&self) -> Option<&CatalogueFile> {
        let wanted = self.looked_at.as_deref();
        let is_wanted = |file: &&CatalogueFile| {
            wanted.is_some_and(|wanted| {
                let quantisation = file.quantisation.as_deref();
                file.name == wanted || quantisation.is_some_and(|own| own.eq_ignore_ascii_case(wanted))
            })
        };
        let found = self.files().find(is_wanted).or_else(|| self.recommended());
        found.or_else(|| self.files().next())
    }

    /// Tells the memory of this file.
    pub(in crate::state) fn look_at(&mut self, file: FileName) {
        self.looked_at = Some(file.name);
    }

    /// Tokens of the context that is reckoned for.
    pub(super) fn context(&self) -> u32 {
        let told = self.details.as_ref().map(|details| details.fit_context_length);
        self.context.or(told).unwrap_or(SHORTEST)
    }

    /// Where the slider stands, from 0.0 to 1.0.
    pub(super) fn context_share(&self) -> f64 {
        let steps = self.context_steps();
        let place = steps
            .iter()
            .rposition(|step| *step <= self.context())
            .unwrap_or(0);
        place as f64 / (steps.len().max(2) - 1) as f64
    }

    /// Moves the slider to a share of its length; whether that is another context.
    pub(in crate::state) fn slide_context(&mut self, share: f64) -> bool {
        let steps = self.context_steps();
        let place = (share.clamp(0.0, 1.0) * (steps.len() - 1) as f64).round() as usize;
        self.set_context(steps[place.min(steps.len() - 1)])
    }

    /// Moves the slider by steps; whether that is another context.
    pub(in crate::state) fn step_context(&mut self, by: f64) -> bool {
        let steps = self.context_steps();
        let place = steps
            .iter()
            .rposition(|step| *step <= self.context())
            .unwrap_or(0);
        let place = (place as f64 + by).clamp(0.0, (steps.len() - 1) as f64) as usize;
        self.set_context(steps[place])
    }

    fn set_context(&mut self, tokens: u32) -> bool {
        let changes = tokens != self.context();
        self.context = Some(tokens);
        changes
    }

    /// The contexts that can be chosen: powers of two, then all that the model was trained for. At least one.
    fn context_steps(&self) -> Vec<u32> {
        let trained = self
            .details
            .as_ref()
            .and_then(|details| details.model.context_length);
        let longest = trained.unwrap_or(LONGEST);
        let doubled = std::iter::successors(Some(SHORTEST), |step| step.checked_mul(2));
        let mut steps: Vec<_> = doubled.take_while(|step| *step < longest).collect();
        steps.push(longest);
        steps
    }
}
