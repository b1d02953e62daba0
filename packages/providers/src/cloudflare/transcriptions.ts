import { isObject, listOf, objectOf, type TranscriptionCodec, textOf } from '@tollgate/formats'

/** The first Whisper takes the bytes; its successor takes base64, and settings. https://developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo/ */
export const cloudflareTranscriptions: TranscriptionCodec = {
  encodeRequest({ language, prompt, translate }, { model }) {
    if (!model.includes('turbo')) {
      const dropped = [...(language === '' ? [] : ['language']), ...(prompt === '' ? [] : ['prompt'])]
      return { kind: 'bytes', dropped }
    }
    const body = {
      task: translate ? 'translate' : 'transcribe',
      ...(language !== '' && { language }),
      ...(prompt !== '' && { initial_prompt: prompt }),
    }
    return { kind: 'base64', member: 'audio', body, dropped: [] }
  },
  decodeResponse(json) {
    const { result } = objectOf(json)
    if (!isObject(result) || typeof result.text !== 'string') return undefined
    const { duration, language } = objectOf(result.transcription_info)
    const words = listOf(result.words)
    const segments = listOf(result.segments)
    return {
      text: result.text,
      ...(typeof duration === 'number' && { duration }),
      ...(textOf(language) !== '' && { language: textOf(language) }),
      ...(textOf(result.vtt) !== '' && { vtt: textOf(result.vtt) }),
      ...(words.length > 0 && { words }),
      ...(segments.length > 0 && { segments }),
    }
  },
}
