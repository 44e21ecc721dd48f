//! Which devices take part in a load.

use std::ffi::CString;

use hearth_protocol::engine::{Device, DeviceKind, GpuLayers, LoadOptions};
use hearth_protocol::{Error, Result};
use llama_cpp_sys_2 as sys;

use super::takes_layers;

/// The devices that layers can go to, besides the processor, which always takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine::worker) enum Devices {
    /// All there are, as llama.cpp picks them; so many.
    All(usize),
    /// These, by name; none is the processor alone.
    These(Vec<String>),
}

impl Devices {
    /// The devices that the options name, among those that there are.
    ///
    /// # Errors
    /// `NotFound` names a device that is not there and those that are; `Invalid` more shares than devices, and a device
    /// that is named twice.
    pub(in crate::engine::worker) fn choose(known: &[Device], options: &LoadOptions) -> Result<Self> {
        let mut named: Vec<&Device> = Vec::new();
        for name in &options.devices {
            let found = known.iter().find(|device| device.name.eq_ignore_ascii_case(name));
            let device = found.ok_or_else(|| Error::NotFound {
                what: "device".into(),
                name: name.clone(),
                known: known.iter().map(|device| device.name.clone()).collect(),
            })?;
            if named.contains(&device) {
                return Err(Error::invalid("devices", format!("names {name} twice")));
            }
            named.push(device);
        }
        named.retain(|device| takes_layers(device.kind));
        let devices = if options.gpu_layers == GpuLayers::Count(0) {
            // With a card at hand llama.cpp would lend it large products even then.
            Self::These(Vec::new())
        } else if options.devices.is_empty() {
            Self::All(usual(known))
        } else {
            Self::These(named.into_iter().map(|device| device.name.clone()).collect())
        };
        // A share of the processor is no share; without a card nothing is split.
        if devices.has_gpu() && options.tensor_split.len() > devices.count() {
            return Err(Error::invalid(
                "tensor_split",
                format!(
                    "has {} shares for {} devices",
                    options.tensor_split.len(),
                    devices.count()
                ),
            ));
        }
        Ok(devices)
    }

    /// Whether there is any besides the processor.
    pub(in crate::engine::worker) fn has_gpu(&self) -> bool {
        self.count() > 0
    }

    /// Whether all of them share the main memory, so that what they take is missing there.
    pub(super) fn share_main_memory(&self, known: &[Device]) -> bool {
        let is_card = |device: &&Device| !matches!(device.kind, DeviceKind::Cpu | DeviceKind::IntegratedGpu);
        !known.iter().filter(is_card).any(|card| match self {
            Self::All(_) => true,
            Self::These(names) => names.contains(&card.name),
        })
    }

    fn count(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::These(names) => names.len(),
        }
    }

    /// llama.cpp's list of them, which ends with a null; `None` lets it pick.
    pub(super) fn handles(&self) -> Result<Option<Vec<sys::ggml_backend_dev_t>>> {
        let Self::These(names) = self else {
            return Ok(None);
        };
        let mut handles = Vec::with_capacity(names.len() + 1);
        for name in names {
            let name = CString::new(name.as_str()).map_err(Error::internal)?;
            // SAFETY: the name is a text that ends with a zero byte and lives throughout the call.
            handles.push(unsafe { sys::ggml_backend_dev_by_name(name.as_ptr()) });
        }
        handles.push(std::ptr::null_mut());
        Ok(Some(handles))
    }
}

/// How many devices llama.cpp picks by itself: all cards, and where there is none, graphics that share the main memory.
fn usual(known: &[Device]) -> usize {
    let of_kind = |kind| known.iter().filter(|device| device.kind == kind).count();
    match of_kind(DeviceKind::Gpu) {
        0 => of_kind(DeviceKind::IntegratedGpu),
        cards => cards,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(name: &str, kind: DeviceKind) -> Device {
        Device {
            name: name.into(),
            description: String::new(),
            kind,
            memory_total: None,
            memory_free: None,
        }
    }

    fn choose(names: &[&str], change: impl FnOnce(&mut LoadOptions)) -> Result<Devices> {
        let known = [
            device("Vulkan0", DeviceKind::Gpu),
            device("Vulkan1", DeviceKind::Gpu),
            device("Vulkan2", DeviceKind::IntegratedGpu),
            device("CPU", DeviceKind::Cpu),
        ];
        let mut options = LoadOptions {
            devices: names.iter().map(|name| (*name).to_owned()).collect(),
            ..LoadOptions::default()
        };
        change(&mut options);
        Devices::choose(&known, &options)
    }

    fn these(names: &[&str]) -> Result<Devices> {
        Ok(Devices::These(
            names.iter().map(|name| (*name).to_owned()).collect(),
        ))
    }

    #[test]
    fn devices_are_taken_by_name_in_the_order_of_the_names() {
        assert_eq!(choose(&[], |_| ()), Ok(Devices::All(2)));
        assert_eq!(
            choose(&["vulkan1", "Vulkan0"], |_| ()),
            these(&["Vulkan1", "Vulkan0"])
        );
        assert_eq!(choose(&["CPU"], |_| ()), these(&[]));
        assert_eq!(choose(&["CPU", "Vulkan2"], |_| ()), these(&["Vulkan2"]));
        let none = |options: &mut LoadOptions| options.gpu_layers = GpuLayers::Count(0);
        assert_eq!(choose(&[], none), these(&[]));
        assert_eq!(choose(&["Vulkan0"], none), these(&[]));
    }

    #[test]
    fn graphics_without_memory_of_their_own_share_the_main_memory() {
        let known = [
            device("Vulkan0", DeviceKind::Gpu),
            device("Vulkan1", DeviceKind::IntegratedGpu),
            device("CPU", DeviceKind::Cpu),
        ];
        let these = |names: &[&str]| Devices::These(names.iter().map(|name| (*name).to_owned()).collect());
        assert!(!Devices::All(1).share_main_memory(&known));
        assert!(Devices::All(1).share_main_memory(&known[1..]));
        assert!(!these(&["Vulkan1", "Vulkan0"]).share_main_memory(&known));
        assert!(these(&["Vulkan1"]).share_main_memory(&known));
        assert!(these(&[]).share_main_memory(&known));
    }

    #[test]
    fn a_device_that_is_not_there_names_those_that_are() {
        let error = choose(&["CUDA0"], |_| ()).expect_err("there is none");
        let text = error.to_string();
        assert!(
            text.contains("CUDA0") && text.contains("Vulkan1, Vulkan2"),
            "{text}"
        );
    }

    #[test]
    fn more_shares_than_devices_and_a_device_twice_are_refused() {
        let shares = |count| move |options: &mut LoadOptions| options.tensor_split = vec![1.0; count];
        assert!(choose(&[], shares(2)).is_ok());
        for refused in [
            choose(&[], shares(3)),
            choose(&["Vulkan0"], shares(2)),
            choose(&["Vulkan0", "vulkan0"], |_| ()),
        ] {
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
        }
        // Without a card the shares have nothing to divide.
        assert_eq!(choose(&["CPU"], shares(3)), these(&[]));
    }
}
