//! Families of known templates.

use super::*;

/// What the templates of llama.cpp's collection (`models/templates`, b11434) hold that tells their family and the
/// tags of their thoughts; each line stands for one of them.
const TEMPLATES: &str = include_str!("templates.txt");

#[test]
fn every_template_of_the_collection_is_known() {
    let lines = TEMPLATES.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    let mut wrong = Vec::new();
    for line in lines {
        let mut fields = line.split(" | ");
        let mut field = || fields.next().unwrap_or_default().trim();
        let (name, family, open, source) = (field(), field(), field(), field());
        let style = Style::detect(Some(source));
        let found = style.thoughts.map_or("-", |thoughts| thoughts.open.trim_end());
        if format!("{:?}", style.family) != family || found != open {
            wrong.push((name.to_owned(), style.family, found));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(count, 71);
}

#[test]
fn a_model_without_a_template_is_of_no_family() {
    let style = Style::detect(None);
    assert_eq!((style.family, style.thoughts), (Family::Generic, None));
    assert_eq!(style.thought_end(), None);
}

#[test]
fn no_mark_begins_as_another_of_its_family_and_goes_on() {
    // Tags are found by their first whole one; a longer one must not hide in it.
    let families = [
        Family::Hermes,
        Family::QwenCoder,
        Family::Glm,
        Family::Mistral,
        Family::DeepSeek,
        Family::Kimi,
        Family::Granite,
    ];
    for family in families {
        let syntax = family.syntax();
        for one in syntax.opens {
            for other in syntax.opens {
                assert!(
                    one == other || !one.starts_with(other),
                    "{family:?}: {one} {other}"
                );
            }
        }
    }
}
