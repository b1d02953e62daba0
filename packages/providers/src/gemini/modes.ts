import { type FormatName, gemini as geminiCodec, type ModeCodec } from '@tollgate/formats'
import { fillModel } from '../endpoint-url.ts'
import { geminiImages, imagenImages } from '../gemini-images.ts'
import { geminiSpeech } from '../gemini-speech.ts'
import type { Operation, PlainFormat, RelayMode } from '../provider.ts'
import { addressOf, resourceOf } from './address.ts'
import { geminiEmbeddings } from './embeddings.ts'

/** A mode beside chat, by a method of the model's own. */
function byMethod(mode: RelayMode, method: string, plain: ModeCodec): Operation {
  return {
    format: `provider:gemini-${method}-${mode}`,
    plain,
    framing: 'sse',
    streamOptions: false,
    endpoint: (target, { options }) => {
      const path = fillModel(`/{model}:${method}`, resourceOf(target.upstreamModel))
      return { url: addressOf(target, path, target.upstreamModel, options), headers: {} }
    },
    decodeError: geminiCodec.decodeError,
  }
}

const embeddings = byMethod('embeddings', 'batchEmbedContents', geminiEmbeddings)
const imagen = byMethod('images', 'predict', imagenImages)
const images = byMethod('images', 'generateContent', geminiImages)
const imageEdits = byMethod('image-edits', 'generateContent', geminiImages)
const speech = byMethod('speech', 'generateContent', geminiSpeech)

/** For callers of Gemini's own format. */
const ownEmbeddings: { readonly [Format in PlainFormat]?: Operation } = {
  'gemini-embedding': asReceived('gemini-embedding', 'embedContent'),
  'gemini-batch-embeddings': asReceived('gemini-batch-embeddings', 'batchEmbedContents'),
}

function asReceived(format: PlainFormat, method: string): Operation {
  const { plain: _plain, ...operation } = byMethod('embeddings', method, geminiEmbeddings)
  return { ...operation, format }
}

/** `undefined` for a mode that the upstream does not have. */
export function modeOperation(
  mode: RelayMode,
  model: string,
  wanted: FormatName | PlainFormat,
): Operation | undefined {
  switch (mode) {
    case 'embeddings':
      return ownEmbeddings[wanted as PlainFormat] ?? embeddings
    case 'images':
      return model.includes('imagen') ? imagen : images
    case 'image-edits':
      return model.includes('imagen') ? undefined : imageEdits
    case 'speech':
      return speech
    default:
      return undefined
  }
}
