import {
  bytesOfBase64,
  type CodeKinds,
  decodeErrorBody,
  objectOf,
  RequestFault,
  type SpeechRequest,
  speechCodec,
  textOf,
} from '@tollgate/formats'
import type { ChannelTarget, HeaderMap } from '../../channel-target.ts'
import { bearer, keyParts } from '../../credential.ts'
import { endpointUrl } from '../../endpoint-url.ts'
import type { Operation } from '../../provider.ts'
import { meaningsOf } from '../../words.ts'

/** Speech is another service of the vendor's, with another host and keys of two parts. */
const speechHost = 'https://openspeech.bytedance.com'

/** Recognises a key of the speech console. */
export function isSpeechKey({ key }: Pick<ChannelTarget, 'key'>): boolean {
  return /^[^|]*[^|\s][^|]*\|[^|]*[^|\s][^|]*$/.test(key)
}

/** Speech keys take a semicolon after the scheme. */
export function credentialOf(target: ChannelTarget): HeaderMap {
  return isSpeechKey(target) ? { authorization: `Bearer;${speechKey(target).token}` } : bearer(target)
}

function speechKey({ key }: Pick<ChannelTarget, 'key'>) {
  const [appId, token] = keyParts(key, 'AppId|AccessToken')
  return { appId, token }
}

/** Encodings by OpenAI's names; each is the vendor's name and a media type. */
const encodings: Readonly<Record<string, readonly [encoding: string, contentType: string]>> = {
  mp3: ['mp3', 'audio/mpeg'],
  wav: ['wav', 'audio/wav'],
  pcm: ['pcm', 'audio/pcm'],
  opus: ['ogg_opus', 'audio/ogg'],
}

/** The vendor's voice for a caller that names none, or one of OpenAI's. */
const defaultVoice = 'zh_female_shuangkuaisisi_moon_bigtts'
const openAiVoices = /^(alloy|ash|ballad|coral|echo|fable|nova|onyx|sage|shimmer|verse|marin|cedar)$/

const codeKinds: CodeKinds = meaningsOf({
  bad_request: '3001 3010 3011 3050',
  rate_limited: '3003',
  overloaded: '3005',
  upstream_bug: '3006 3031 3040',
  timeout: '3030 3032',
})

const decodeError: Operation['decodeError'] = (failure) => decodeErrorBody(failure, codeKinds)

/** Returns the operation of a speech key, whose application's id is in the body. */
export function speechOf(target: ChannelTarget): Operation {
  const { appId } = speechKey(target)
  return {
    format: 'provider:volcengine-speech',
    plain: speechCodec({
      encodeRequest: (request, { model, callId = '' }) => encodeRequest(request, { appId, model, callId }),
      decodeResponse({ json }, { format }) {
        const { code, data } = objectOf(json)
        const audio = code === done ? bytesOfBase64(textOf(data)) : undefined
        return audio && { audio, contentType: encodingOf(format)[1], usage: undefined }
      },
    }),
    framing: 'sse',
    streamOptions: false,
    endpoint: ({ baseUrl }) => ({ url: endpointUrl(hostOf(baseUrl), '/api/v1', '/tts'), headers: {} }),
    decodeError,
  }
}

const done = 3000

/** Chat's own host speaks nothing. */
function hostOf(baseUrl: string): string {
  return /^(https:\/\/ark\..*)?$/.test(baseUrl) ? speechHost : baseUrl
}

interface SpeechCall {
  readonly appId: string
  readonly model: string
  readonly callId: string
}

function encodeRequest(request: SpeechRequest, { appId, model, callId }: SpeechCall) {
  const { input, voice, format, speed, instructions, vendor } = request
  const isForeign = openAiVoices.test(voice)
  const { user, audio, request: provided, ...more } = vendor
  return {
    body: {
      ...more,
      // The token is in the header; here any text will do.
      app: { appid: appId, token: 'header', cluster: model.startsWith('volcano_') ? model : 'volcano_tts' },
      user: { uid: textOf(user) || 'tollgate' },
      audio: {
        voice_type: voice === '' || isForeign ? defaultVoice : voice,
        encoding: encodingOf(format)[0],
        ...(speed !== undefined && { speed_ratio: speed }),
        ...objectOf(audio),
      },
      request: {
        ...(model.startsWith('seed-tts') && { model }),
        ...objectOf(provided),
        reqid: callId,
        text: input,
        operation: 'query',
      },
    },
    dropped: [...(isForeign ? ['voice'] : []), ...(instructions === '' ? [] : ['instructions'])],
  }
}

/** @throws RequestFault for a format that the upstream does not make */
function encodingOf(format: string): readonly [string, string] {
  const found = encodings[format || 'mp3']
  if (found !== undefined) return found
  const message = `response_format ${format} is not supported by the upstream that serves the model: use ${Object.keys(encodings).join(', ')}`
  throw new RequestFault(message, 'response_format', 'unsupported_parameter')
}
