//! The dialog that sets how a model is loaded.

use expect_test::expect;
use hearth_protocol::engine::{
    ContextLength, Device, DeviceEstimate, DeviceKind, EstimateEvent, FlashAttention, GpuLayers, KvType,
    LoadEvent, LoadOptions, LoadRequest, LoraAdapter, MemoryEstimate,
};

use super::*;
use crate::effect::BackendEffect;
use crate::effect::load::LoadEffect;
use crate::msg::load::{LoadMsg, LoadNews};
use crate::msg::number::NumberMsg;
use crate::state::load_dialog::choice::LoadChoice;
use crate::state::load_dialog::number::{Bounds, LoadNumber};
use crate::state::load_dialog::text::LoadText;

const GB: u64 = 1_000_000_000;

fn set(msg: LoadMsg) -> Msg {
    Msg::LoadDialog(msg)
}

fn number(number: LoadNumber, happens: NumberMsg) -> Msg {
    set(LoadMsg::Number(number, happens))
}

fn told(news: LoadNews) -> Msg {
    Msg::Backend(News::LoadDialog(news))
}

fn remembered(options: Option<LoadOptions>) -> Msg {
    told(LoadNews::Remembered {
        file: FileId::from(SMOL),
        result: Ok(options),
    })
}

fn device(name: &str, kind: DeviceKind, total: u64) -> Device {
    Device {
        name: name.into(),
        description: format!("The {name}"),
        kind,
        memory_total: Some(ByteSize(total)),
        memory_free: Some(ByteSize(total / 2)),
    }
}

fn devices() -> Msg {
    told(LoadNews::Devices {
        result: Ok(vec![
            device("Vulkan0", DeviceKind::Gpu, 8 * GB),
            device("CPU", DeviceKind::Cpu, 32 * GB),
        ]),
        threads: Some(8),
    })
}

fn estimate(run: u64, kv: u64) -> Msg {
    let row = |device: &str, weights, kv, free| DeviceEstimate {
        device: device.into(),
        weights: Some(ByteSize(weights)),
        kv_cache: Some(ByteSize(kv)),
        compute: Some(ByteSize(GB / 2)),
        free: Some(ByteSize(free)),
    };
    told(LoadNews::Estimate {
        run: Run(run),
        event: EstimateEvent::Rough(MemoryEstimate {
            context_length: 8192,
            gpu_layers: (20, 31),
            devices: vec![row("Vulkan0", 2 * GB, kv, 4 * GB), row("CPU", GB, 0, 16 * GB)],
            fits: Some(kv <= GB),
        }),
    })
}

/// A desk with the dialog of a model of which nothing is remembered.
fn open() -> Desk {
    let mut desk = Desk::with_models();
    desk.all([
        set(LoadMsg::Open(Some(FileId::from(SMOL)))),
        remembered(None),
        devices(),
    ]);
    desk
}

fn options(desk: &Desk) -> LoadOptions {
    desk.state.load_dialog().expect("it is open").options.clone()
}

#[test]
fn it_shows_what_a_load_takes() {
    let mut desk = open();
    desk.all([estimate(1, GB)]);
    expect![[r#"
        -> FocusOverlay
        -> LoadDialog(ReadRemembered(FileId("starter/smol.gguf")))
        -> LoadDialog(ListDevices)
        -> SettingsPage(WatchUsage)
        -> reckon 1
        Load smol (Q4_1 · 98.4_MB): Fits
          The Vulkan0 [0.50, 0.75, 0.88, 0.94] 3.50_GB of 4.00_GB free
          RAM [0.50, 0.53, 0.53, 0.55] 1.50_GB of 16.0_GB free
          Context length "" (Automatic picks 8_192)
          GPU layers "" (Automatic picks 20 of 31)
          CPU threads "" (Empty takes one for each core)
          load
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn only_the_newest_question_is_answered() {
    let mut desk = open();
    desk.all([
        number(LoadNumber::Context, NumberMsg::Typed("4096".into())),
        estimate(1, GB),
    ]);
    let bars = |desk: &Desk| desk.state.load_view().expect("it is open").bars.len();
    assert_eq!(bars(&desk), 0);
    desk.all([estimate(2, GB)]);
    assert_eq!(bars(&desk), 2);
}

#[test]
fn sliders_fields_and_keys_set_numbers() {
    let mut desk = open();
    desk.all([estimate(1, GB)]);
    let cases = [
        (
            LoadNumber::Context,
            NumberMsg::Typed("4 096".into()),
            "4\u{a0}096",
        ),
        (LoadNumber::Context, NumberMsg::Stepped(1.0), "4\u{a0}352"),
        (LoadNumber::Context, NumberMsg::Typed("".into()), ""),
        (LoadNumber::Context, NumberMsg::Slid(1.0), "2\u{a0}048"),
        (LoadNumber::GpuLayers, NumberMsg::Slid(1.0), "31"),
        (LoadNumber::GpuLayers, NumberMsg::Slid(0.5), "16"),
        (LoadNumber::GpuLayers, NumberMsg::Reset, ""),
        (LoadNumber::Threads, NumberMsg::Slid(0.0), "1"),
        (LoadNumber::Batch, NumberMsg::Typed("256".into()), "256"),
        (LoadNumber::Slots, NumberMsg::Stepped(-9.0), "1"),
    ];
    for (which, happens, expected) in cases {
        desk.all([number(which, happens.clone()), number(which, NumberMsg::Done)]);
        let shown = desk.state.load_view().expect("it is open");
        let row = shown
            .numbers
            .iter()
            .find(|row| row.shape.label.0 == which.shape(Bounds::default()).label.0);
        assert_eq!(row.expect("a row").text, expected, "{which:?} {happens:?}");
    }
    let options = options(&desk);
    assert_eq!(options.context_length, ContextLength::Tokens(2048));
    assert_eq!(options.gpu_layers, GpuLayers::Auto);
    assert_eq!((options.batch_size, options.micro_batch_size), (256, 256));
    assert_eq!(options.validate(), Ok(()));
}

/// Where numbers end, the engine still takes them.
#[test]
fn every_number_goes_as_far_as_a_load_takes_it() {
    let bounds = Bounds {
        trained: Some(131_072),
        layers: Some(49),
        threads: Some(16),
    };
    for which in LoadNumber::ALL {
        let shape = which.shape(bounds);
        let (least, most) = shape.range;
        for value in [least, most] {
            let mut options = LoadOptions::default();
            which.write(&mut options, Some(value), bounds);
            assert_eq!(options.validate(), Ok(()), "{which:?} {value}");
        }
        if let Some(slider) = shape.slider {
            assert!(
                least <= slider.from && slider.from < slider.to && slider.to <= most,
                "{which:?}"
            );
            for share in [0.0, 0.3, 1.0] {
                let value = shape.at(share).expect("it has a slider");
                let back = shape.share(Some(value)).expect("it has a slider");
                assert!((back - share).abs() < 0.05, "{which:?} {share} {value} {back}");
            }
        }
    }
}

#[test]
fn what_cannot_go_together_is_brought_together() {
    let mut desk = open();
    desk.all([
        set(LoadMsg::Choose(LoadChoice::Flash(FlashAttention::Off))),
        set(LoadMsg::Choose(LoadChoice::KvV(KvType::Q8_0))),
    ]);
    assert_eq!(options(&desk).flash_attention, FlashAttention::Auto);
    desk.all([set(LoadMsg::Choose(LoadChoice::Flash(FlashAttention::Off)))]);
    assert_eq!(options(&desk).kv_type_v, KvType::F16);
    assert_eq!(options(&desk).validate(), Ok(()));
}

#[test]
fn texts_are_read_as_they_are_typed() {
    let mut desk = open();
    let typed = |field, text: &str| set(LoadMsg::Typed(field, text.into()));
    desk.all([
        typed(LoadText::Devices, "Vulkan0, Vulkan1"),
        typed(LoadText::Shares, "3, 1"),
        typed(LoadText::Adapters, "/a b.gguf * 0,5\n\n/c.gguf"),
        typed(LoadText::Ends, "<|im_end|>\n\\n\\nUser:"),
        typed(LoadText::Template, "chatml"),
    ]);
    let options = options(&desk);
    assert_eq!(options.devices, ["Vulkan0", "Vulkan1"]);
    assert_eq!(options.tensor_split, [3.0, 1.0]);
    let adapter = |path: &str, scale| LoraAdapter {
        path: path.into(),
        scale,
    };
    assert_eq!(options.lora, [adapter("/a b.gguf", 0.5), adapter("/c.gguf", 1.0)]);
    assert_eq!(options.reverse_prompts, ["<|im_end|>", "\n\nUser:"]);
    assert_eq!(options.chat_template.as_deref(), Some("chatml"));
    // What is shown of options gives the same options again.
    for field in LoadText::ALL {
        let mut again = LoadOptions::default();
        assert_eq!(field.read(&field.show(&options), &mut again), Ok(()));
        assert_eq!(field.show(&again), field.show(&options), "{field:?}");
    }
    desk.all([typed(LoadText::Shares, "three")]);
    let shown = desk.state.load_view().expect("it is open");
    assert!(!shown.can_load);
    assert!(
        shown
            .texts
            .iter()
            .any(|(field, _, fault)| *field == LoadText::Shares && fault.is_some())
    );
}

/// What this message leads to, and the load among it.
fn loads(desk: &mut Desk, msg: Msg) -> (Vec<Effect>, LoadRequest) {
    let effects = desk.state.update(msg, UnixMillis(NOW));
    let request = effects.iter().find_map(|effect| match effect {
        Effect::Backend(BackendEffect::Load { request, .. }) => Some(request.clone()),
        _ => None,
    });
    (effects, request.expect("a load"))
}

#[test]
fn it_loads_as_is_set_and_remembers_that() {
    let mut desk = open();
    desk.all([number(LoadNumber::Context, NumberMsg::Typed("4096".into()))]);
    let (effects, request) = loads(&mut desk, set(LoadMsg::Load { anyway: false }));
    let set = LoadOptions {
        context_length: ContextLength::Tokens(4096),
        ..LoadOptions::default()
    };
    let remember = Effect::from(BackendEffect::LoadDialog(LoadEffect::Remember {
        file: FileId::from(SMOL),
        options: Some(Box::new(set.clone())),
    }));
    assert!(effects.contains(&remember), "{effects:?}");
    assert_eq!((request.options, request.force), (Some(set), false));
}

#[test]
fn what_was_remembered_is_shown_and_can_be_forgotten() {
    let mut desk = Desk::with_models();
    let before = LoadOptions {
        parallel_slots: 2,
        ..LoadOptions::default()
    };
    desk.all([
        set(LoadMsg::Open(Some(FileId::from(SMOL)))),
        remembered(Some(before.clone())),
    ]);
    assert_eq!(options(&desk), before);
    desk.all([set(LoadMsg::Reset)]);
    assert_eq!(options(&desk), LoadOptions::default());
    let (effects, _) = loads(&mut desk, set(LoadMsg::Load { anyway: false }));
    let forget = Effect::from(BackendEffect::LoadDialog(LoadEffect::Remember {
        file: FileId::from(SMOL),
        options: None,
    }));
    assert!(effects.contains(&forget), "{effects:?}");
}

#[test]
fn nothing_counts_before_it_is_known_what_is_remembered() {
    let mut desk = Desk::with_models();
    desk.all([
        set(LoadMsg::Open(Some(FileId::from(SMOL)))),
        number(LoadNumber::Slots, NumberMsg::Typed("9".into())),
        set(LoadMsg::Load { anyway: false }),
    ]);
    assert_eq!(
        options(&desk).parallel_slots,
        LoadOptions::default().parallel_slots
    );
    assert_eq!(desk.state.models.load, None);
}

#[test]
fn the_guards_word_is_told_and_can_be_overruled() {
    let mut desk = open();
    desk.all([set(LoadMsg::Load { anyway: false })]);
    let run = desk.state.models.load.as_ref().expect("a load").run;
    let refused = Error::MemoryShort {
        model: "smol".into(),
        reason: "it needs 9 GB and 4 GB are free".into(),
    };
    desk.all([Msg::Backend(News::Load {
        run,
        event: LoadEvent::Failed(refused),
    })]);
    let shown = desk.state.load_view().expect("it stays open");
    assert!(shown.can_force && shown.trouble.is_some_and(|why| why.contains("9 GB")));
    assert!(loads(&mut desk, set(LoadMsg::Load { anyway: true })).1.force);
    let run = desk.state.models.load.as_ref().expect("a load").run;
    desk.all([Msg::Backend(News::Load {
        run,
        event: LoadEvent::Loaded(loaded(1, SMOL)),
    })]);
    assert!(desk.state.load_dialog().is_none(), "it goes with the load");
}

#[test]
fn a_model_that_is_loaded_anew_takes_the_place_of_the_old_one() {
    let mut desk = open();
    desk.all([engine([loaded(1, SMOL)]), set(LoadMsg::Load { anyway: false })]);
    let run = desk.state.models.load.as_ref().expect("a load").run;
    desk.log.clear();
    desk.all([Msg::Backend(News::Load {
        run,
        event: LoadEvent::Loaded(loaded(2, SMOL)),
    })]);
    assert!(desk.log.contains("Eject(LoadedId(1))"), "{}", desk.log);
}

#[test]
fn a_failed_load_elsewhere_leads_to_it() {
    let mut desk = Desk::with_models();
    desk.all([load(SMOL)]);
    desk.all([Msg::Backend(News::Load {
        run: Run(1),
        event: LoadEvent::Failed(Error::MemoryShort {
            model: "smol".into(),
            reason: "it needs 9 GB".into(),
        }),
    })]);
    let toast = desk.state.toasts.shown().last().expect("a toast").id;
    desk.all([Msg::TakeToastAction(toast)]);
    assert!(desk.state.load_dialog().is_some());
}
