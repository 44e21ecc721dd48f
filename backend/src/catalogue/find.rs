//! Searching: what this computer knows at once, then the hub's answer to the same question.

use std::collections::HashSet;
use std::future::Future;
use std::time::Duration;

use hearth_protocol::catalogue::HubPart;
use hearth_protocol::catalogue::search::{AskHub, CataloguePage, CatalogueQuery, SearchEvent};
use hearth_protocol::{Error, EventSink, ModelId, Result, UnixMillis};
use url::Url;

use super::Catalogue;
use super::hub_model::{self, Told};
use super::mix::{End, Mix, fill};
use super::query::{Asked, Wanted};
use crate::leaving::left;
use crate::store;
use crate::store::catalogue::{ListedPage, Listing, PAGE, Rest};

/// How long the hub's answer to a search counts as new.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// How long the pages that follow a first page go on from it. Later all of them are asked for anew.
const FOLLOWED: Duration = Duration::from_secs(60 * 60);

/// Times that the hub is asked for one page at most: where few models fulfil all conditions, a page holds few.
const MOST_ASKED: u32 = 5;

/// Whether the hub is asked.
enum Plan {
    /// It is not, and why.
    Keep(HubPart),
    /// It is, and its answer goes on from this.
    Ask(Listing),
}

impl Catalogue {
    /// Answers a search: with a page of what is known here, then with the hub's answer.
    pub(crate) async fn search(&self, query: CatalogueQuery, mut events: EventSink<SearchEvent>) {
        let left = left(&events);
        let work = async {
            match self.find(query, &mut events).await {
                // Nobody listening is no fault.
                Ok(()) => events.send(SearchEvent::Finished).ok(),
                Err(error) => events.send(SearchEvent::Failed(error)).ok(),
            };
        };
        tokio::select! { biased; () = left.notified() => (), () = work => () }
    }

    async fn find(&self, query: CatalogueQuery, events: &mut EventSink<SearchEvent>) -> Result<()> {
        let hub = self.hub.address()?;
        let memory = if query.fits_only {
            self.machine().await?.largest_load()
        } else {
            None
        };
        let asked = Asked::new(query, &hub, memory)?;
        let question = asked.question(&hub)?;
        let listing = self.store.read_listing(&question).await?;
        let mut page = self.known_page(&asked, listing.as_ref()).await?;
        let listing = match self.plan(&asked, listing) {
            Plan::Keep(part) => {
                page.hub = part;
                events.send(SearchEvent::Page(page)).ok();
                return Ok(());
            }
            Plan::Ask(listing) => listing,
        };
        page.hub = HubPart::Asking;
        events.send(SearchEvent::Page(page.clone())).ok();
        if asked.query.ask_hub == AskHub::AfterPause {
            tokio::time::sleep(self.times.pause).await;
        }
        match self.within_limit(self.hub_page(&asked, &question, listing)).await {
            Ok(answer) => page = answer,
            Err(error) => page.hub = HubPart::Failed { error },
        }
        events.send(SearchEvent::Page(page)).ok();
        Ok(())
    }

    /// Whether the hub is asked, given what it answered before.
    fn plan(&self, asked: &Asked, listing: Option<Listing>) -> Plan {
        let query = &asked.query;
        // All favourites are known here.
        if query.ask_hub == AskHub::Never || query.favourites_only || asked.wanted == Wanted::Nothing {
            return Plan::Keep(HubPart::NotAsked);
        }
        if self.hub.is_offline() {
            return Plan::Keep(HubPart::Offline);
        }
        let Some(listing) = listing else {
            return Plan::Ask(Listing::default());
        };
        let age = listing.pages.first().and_then(|page| age(page.made_at));
        let is_within = |limit| age.is_some_and(|age| age < limit);
        let is_known = listing.has(query.page);
        match query.page {
            0 if is_within(FRESH) => Plan::Keep(HubPart::Answered),
            1.. if is_within(FOLLOWED) && is_known => Plan::Keep(HubPart::Answered),
            1.. if is_within(FOLLOWED) => Plan::Ask(listing),
            _ => Plan::Ask(Listing::default()),
        }
    }

    /// A page of what is known here: of what the hub gave before, where it was asked the same, else of all models.
    async fn known_page(&self, asked: &Asked, listing: Option<&Listing>) -> Result<CataloguePage> {
        let Some(listing) = listing.filter(|_| asked.query.ask_hub != AskHub::Never) else {
            return self.store.search_catalogue(asked).await;
        };
        let mut listing = listing.clone();
        if !listing.has(asked.query.page) {
            // It goes on without the hub, this once.
            listing.rest = Rest::None;
            self.go_on(asked, &mut listing).await?;
        }
        let page = self.shown(asked, &listing).await?;
        Ok(CataloguePage {
            cached_at: listing.pages.first().map(|page| page.made_at),
            ..page
        })
    }

    /// The page with the hub's answer, which is kept.
    async fn hub_page(&self, asked: &Asked, question: &str, mut listing: Listing) -> Result<CataloguePage> {
        self.go_on(asked, &mut listing).await?;
        self.store.keep_listing(question, &listing).await?;
        let page = self.shown(asked, &listing).await?;
        Ok(CataloguePage {
            hub: HubPart::Answered,
            ..page
        })
    }

    /// Makes the pages up to the one that is asked for.
    async fn go_on(&self, asked: &Asked, listing: &mut Listing) -> Result<()> {
        while !listing.has(asked.query.page) && listing.pages.last().is_none_or(|page| page.more) {
            let page = self.next_page(asked, listing).await?;
            listing.pages.push(page);
        }
        Ok(())
    }

    async fn next_page(&self, asked: &Asked, listing: &mut Listing) -> Result<ListedPage> {
        let mix = Mix::of(asked.query.sort);
        let is_first = listing.pages.is_empty();
        let mut passed: HashSet<ModelId> = listing
            .pages
            .iter()
            .flat_map(|page| page.models.iter().cloned())
            .collect();
        let (mut models, mut asks) = (Vec::new(), 0);
        if is_first && listing.rest == Rest::All {
            if let Some(model) = self.named(asked, listing).await? {
                let fulfils = self.store.candidates(asked, &[model], 0).await?.waiting;
                if mix == Mix::OwnFirst {
                    models.extend(fulfils.into_iter().map(|candidate| candidate.model));
                    passed.extend(models.iter().cloned());
                }
            }
            // What is known comes first in such an order, so it should be much.
            while mix == Mix::KnownFirst && asks < MOST_ASKED && listing.rest != Rest::None {
                asks += 1;
                self.ask(asked, listing).await?;
            }
        }
        let more = loop {
            let most = PAGE as usize + passed.len() + listing.waiting.len();
            let most = u32::try_from(most).unwrap_or(u32::MAX);
            let from = self.store.candidates(asked, &listing.waiting, most).await?;
            let hub_is_done = listing.rest == Rest::None;
            match fill(mix, &from, hub_is_done, &mut passed, &mut models, PAGE as usize) {
                End::Over => break false,
                End::AskHub if asks < MOST_ASKED => {
                    asks += 1;
                    self.ask(asked, listing).await?;
                }
                End::Full | End::AskHub => break true,
            }
        };
        listing.waiting.retain(|model| !passed.contains(model));
        Ok(ListedPage {
            models,
            more,
            made_at: now(),
        })
    }

    /// Asks the hub for what comes next, and keeps it.
    async fn ask(&self, asked: &Asked, listing: &mut Listing) -> Result<()> {
        let next = match &listing.rest {
            Rest::None => return Ok(()),
            Rest::All => None,
            Rest::At(address) => Some(address.parse::<Url>().map_err(Error::internal)?),
        };
        let answer = self.hub.search(&asked.for_hub(), next).await?;
        let now = now();
        let told = answer.models.into_iter();
        let models: Vec<_> = told
            .filter_map(|info| hub_model::read(info, Told::Briefly, now))
            .collect();
        for model in self.store.keep_found(&models).await? {
            if !listing.waiting.contains(&model) {
                listing.waiting.push(model);
            }
        }
        listing.rest = answer.next.map_or(Rest::None, |next| Rest::At(next.into()));
        Ok(())
    }

    /// Asks the hub for the very model that the text names, and gives the name under which it is shown. That it cannot be
    /// had is no fault of the search; the listing says why.
    async fn named(&self, asked: &Asked, listing: &mut Listing) -> Result<Option<ModelId>> {
        let Some(model) = &asked.named else {
            return Ok(None);
        };
        let error = match self.fetch(model).await {
            Ok(shown) => return Ok(Some(shown)),
            Err(error) => error,
        };
        let renamed = match &error {
            Error::Renamed { to, .. } => self.fetch(&to.as_str().into()).await.ok(),
            Error::NotFound { .. } | Error::TokenNeeded { .. } | Error::NoAccess { .. } => None,
            _ => return Err(error),
        };
        listing.named = Some(error);
        Ok(renamed)
    }

    /// The page that is asked for, as its models are now; an empty one behind the last.
    async fn shown(&self, asked: &Asked, listing: &Listing) -> Result<CataloguePage> {
        let Some(page) = usize::try_from(asked.query.page)
            .ok()
            .and_then(|number| listing.pages.get(number))
        else {
            return Ok(CataloguePage::default());
        };
        let models = self.store.rows_of(&page.models, asked.query.with_hidden).await?;
        // Who types `a/b` and finds `a/bc` misses nothing.
        let has_begun = asked.named.as_ref().is_some_and(|named| {
            let begins = |id: &ModelId| {
                let beginning = id.as_str().get(..named.as_str().len());
                beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(named.as_str()))
            };
            models.iter().any(|row| begins(&row.id))
        });
        let named = listing.named.clone();
        let named = named.filter(|error| matches!(error, Error::Renamed { .. }) || !has_begun);
        Ok(CataloguePage {
            models,
            more: page.more,
            hub: HubPart::NotAsked,
            cached_at: None,
            named,
        })
    }

    /// Gives the hub no more time for an answer than a person waits.
    pub(super) async fn within_limit<T>(&self, asking: impl Future<Output = Result<T>>) -> Result<T> {
        let limit = self.times.limit;
        let answer = tokio::time::timeout(limit, asking).await;
        answer.unwrap_or_else(|_| {
            Err(Error::HubDown {
                reason: format!("it did not answer within {} s", limit.as_secs()),
            })
        })
    }
}

impl Listing {
    fn has(&self, page: u32) -> bool {
        usize::try_from(page).is_ok_and(|page| page < self.pages.len())
    }
}

pub(super) fn now() -> UnixMillis {
    UnixMillis(store::now())
}

/// How long ago this was; `None` where it is still to come, as after the clock was set back.
pub(super) fn age(moment: UnixMillis) -> Option<Duration> {
    let age = now().0.checked_sub(moment.0)?;
    u64::try_from(age).ok().map(Duration::from_millis)
}
