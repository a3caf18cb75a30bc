//! The checks of a setup and of results that depend on the model.

use aileron_contract::models::{self, CallMode, GeminiLiveModel};

use super::map::Refusal;
use super::wire::{Behavior, FunctionDeclaration, Setup};

/// Checks a setup by the contract of its model.
pub(super) fn check(setup: &Setup) -> Result<&'static GeminiLiveModel, Refusal> {
    let contract = models::gemini_live(&setup.model);
    let refused = |field: &str, why: &str| {
        Err((1007, format!("{field} is not supported by {}: {why}", setup.model)))
    };
    let generation = setup.generation_config.as_ref();
    let thinking = generation.and_then(|it| it.thinking_config.as_ref());
    if let Some(level) = thinking.and_then(|it| it.thinking_level.as_deref())
        && !contract.thinking_levels.contains(&level)
    {
        return refused("generation_config.thinking_config.thinking_level", level);
    }
    let has_text = |all: &Vec<String>| all.iter().any(|one| one == "TEXT");
    let modalities = generation.and_then(|it| it.response_modalities.as_ref());
    if modalities.is_some_and(has_text) && !contract.text_output.is_accepted() {
        return refused("generation_config.response_modalities", "only AUDIO");
    }
    if generation.is_some_and(|it| it.enable_affective_dialog.is_some())
        && !contract.affective_dialog.is_accepted()
    {
        return refused("generation_config.enable_affective_dialog", "it was removed");
    }
    let speech = generation.and_then(|it| it.speech_config.as_ref());
    if speech.is_some_and(|it| it.language_code.is_some()) && !contract.language_code.is_accepted()
    {
        return refused("generation_config.speech_config.language_code", "it is detected");
    }
    if setup.proactivity.as_ref().and_then(|it| it.proactive_audio) == Some(false)
        && !contract.proactive_audio_off.is_accepted()
    {
        return refused("proactivity.proactive_audio", "it cannot be switched off");
    }
    Ok(contract)
}

/// Whether a declared function runs in the background: by its `behavior`, or by the model's default.
pub(super) fn is_asynchronous(
    contract: &GeminiLiveModel,
    function: &FunctionDeclaration,
) -> Result<bool, Refusal> {
    let mode = match function.behavior {
        None | Some(Behavior::Unspecified) => {
            return Ok(contract.default_call_mode == CallMode::NonBlocking);
        }
        Some(Behavior::Blocking) => CallMode::Blocking,
        Some(Behavior::NonBlocking) => CallMode::NonBlocking,
    };
    // A name without a contract of its own may be that of any model.
    if contract.has_call_mode(mode) || contract.prefix.is_empty() {
        return Ok(mode == CallMode::NonBlocking);
    }
    Err((1007, format!("function {}: behavior {mode:?} is not supported", function.name)))
}
