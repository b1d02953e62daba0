import { bytesOfBase64, objectOf, RequestFault, readGeminiUsage, speechCodec } from '@tollgate/formats'
import { inlineData } from './gemini-images.ts'

/** Of the vendor's own, for a caller who named one of OpenAI's. */
const defaultVoice = 'Kore'
/** The vendor's begin with a capital letter. */
const ownVoice = /^[A-Z]/
const defaultRate = 24_000

/** Speaking models answer with bare samples, which get the head of a WAV file. https://ai.google.dev/gemini-api/docs/speech-generation */
export const geminiSpeech = speechCodec({
  encodeRequest({ input, voice, format, speed, instructions, vendor }) {
    if (format !== '' && format !== 'wav' && format !== 'pcm') throw unknownFormat(format)
    const voiceName = ownVoice.test(voice) ? voice : defaultVoice
    return {
      body: {
        contents: [
          { role: 'user', parts: [{ text: instructions === '' ? input : `${instructions}\n\n${input}` }] },
        ],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
        },
      },
      dropped: [
        ...(speed === undefined ? [] : ['speed']),
        ...(voice !== '' && voiceName !== voice ? ['voice'] : []),
        ...Object.keys(vendor),
      ],
    }
  },
  decodeResponse({ json }, { format }) {
    const [found] = inlineData(json)
    const samples = found && bytesOfBase64(found.data)
    if (found === undefined || samples === undefined) return undefined
    const usage = readGeminiUsage(objectOf(json).usageMetadata)
    if (format === 'pcm') return { audio: samples, contentType: 'audio/pcm', usage }
    const rate = Number(/rate=(\d{4,6})/.exec(found.mimeType)?.[1] ?? defaultRate)
    return { audio: wavOf(samples, rate), contentType: 'audio/wav', usage }
  },
})

function unknownFormat(format: string): RequestFault {
  return new RequestFault(
    `response_format ${format} is not supported by the upstream that serves the model: use wav or pcm`,
    'response_format',
    'unsupported_parameter',
  )
}

/** Of 16 bits and one channel. */
function wavOf(samples: Uint8Array, rate: number): Uint8Array {
  const wav = new Uint8Array(44 + samples.length)
  const view = new DataView(wav.buffer)
  const text = (at: number, name: string) => {
    for (let place = 0; place < name.length; place++) wav[at + place] = name.charCodeAt(place)
  }
  text(0, 'RIFF')
  view.setUint32(4, 36 + samples.length, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, samples.length, true)
  wav.set(samples, 44)
  return wav
}
