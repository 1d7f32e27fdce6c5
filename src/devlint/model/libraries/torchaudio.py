"""torchaudio."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases
from devlint.model.torch.effects import GROWN, JOINED, Op, table, words

_FUNCTIONS: dict[str, Op] = {
    **table(
        GROWN,
        """
        DB_to_amplitude allpass_biquad amplitude_to_DB band_biquad bandpass_biquad bandreject_biquad
        bass_biquad biquad compute_deltas contrast dcshift deemphasis deemph_biquad dither equalizer_biquad
        flanger gain highpass_biquad loudness lowpass_biquad mask_along_axis mask_along_axis_iid
        mu_law_decoding mu_law_encoding overdrive phaser pitch_shift preemphasis resample riaa_biquad
        sliding_window_cmn treble_biquad vad
        """,
        "torchaudio.functional.",
    ),
    **table(
        JOINED,
        "add_noise convolve fftconvolve filtfilt griffinlim lfilter phase_vocoder spectrogram",
        "torchaudio.functional.",
    ),
}

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AddNoise AmplitudeToDB ComputeDeltas Convolve Deemphasis FFTConvolve Fade FrequencyMasking
            GriffinLim InverseMelScale InverseSpectrogram LFCC Loudness MFCC MVDR MelScale MelSpectrogram
            MuLawDecoding MuLawEncoding PSD PitchShift Preemphasis RNNTLoss RTFMVDR Resample SlidingWindowCmn
            SoudenMVDR SpecAugment SpectralCentroid Spectrogram Speed SpeedPerturbation TimeMasking
            TimeStretch Vad Vol
            """,
            "torchaudio.transforms",
        ),
        **bases(
            PLAIN,
            """
            Conformer ConvTasNet DeepSpeech Emformer HDemucs HuBERTPretrainModel RNNT RNNTBeamSearch
            SquimObjective SquimSubjective Tacotron2 Wav2Letter Wav2Vec2Model WaveRNN
            """,
            "torchaudio.models",
        ),
    },
    factories=words(
        """
        conv_tasnet_base emformer_rnnt_base emformer_rnnt_model hdemucs_high hdemucs_low hdemucs_medium
        hubert_base hubert_large hubert_pretrain_base hubert_pretrain_large hubert_pretrain_model
        hubert_pretrain_xlarge hubert_xlarge squim_objective_base squim_objective_model squim_subjective_base
        squim_subjective_model wav2vec2.utils.import_fairseq_model wav2vec2.utils.import_huggingface_model
        wav2vec2_base wav2vec2_large wav2vec2_large_lv60k wav2vec2_model wav2vec2_xlsr_1b wav2vec2_xlsr_2b
        wav2vec2_xlsr_300m wavlm_base wavlm_large wavlm_model
        """,
        "torchaudio.models.",
    ),
    functions=_FUNCTIONS,
)
