/** What an audio input token costs in text input tokens; a model that is not named hears at its price of text. */
export const defaultAudioRatios: Readonly<Record<string, number>> = {
  'gpt-4o-audio-preview': 16,
  'gpt-4o-audio-preview-2024-10-01': 40,
  'gpt-4o-realtime-preview': 8,
  'gpt-4o-realtime-preview-2024-10-01': 20,
  'gpt-4o-realtime-preview-2024-12-17': 8,
  'gpt-4o-mini-realtime-preview': 16.67,
  'gpt-4o-mini-realtime-preview-2024-12-17': 16.67,
  'gemini-2.0-flash': 7,
  'gemini-2.5-flash': 3.33,
  'gemini-2.5-flash-lite': 3,
}

/** What an audio output token costs in audio input tokens. */
export const defaultAudioCompletionRatios: Readonly<Record<string, number>> = {
  'gpt-4o-audio-preview': 2,
  'gpt-4o-audio-preview-2024-10-01': 2,
  'gpt-4o-realtime-preview': 2,
  'gpt-4o-realtime-preview-2024-10-01': 2,
  'gpt-4o-realtime-preview-2024-12-17': 2,
  'gpt-4o-mini-realtime-preview': 2,
  'gpt-4o-mini-realtime-preview-2024-12-17': 2,
  'tts-1': 0,
  'tts-1-1106': 0,
  'tts-1-hd': 0,
  'tts-1-hd-1106': 0,
}

/** What an image input token costs in text input tokens. */
export const defaultImageRatios: Readonly<Record<string, number>> = { 'gpt-image-1': 2 }

/** What an image output token costs in image input tokens. */
export const defaultImageCompletionRatios: Readonly<Record<string, number>> = { 'gpt-image-1': 4 }
