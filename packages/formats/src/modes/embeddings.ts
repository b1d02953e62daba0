import { embeddingUsage } from '../embedding-usage.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { numberOf } from '../json/number-text.ts'
import { base64OfBytes } from '../json/utf8.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import { promptTokensOf, type Usage } from '../usage.ts'
import { jsonType, type ModeCodec, type ModeTranslation, vendorFields } from './plain-codec.ts'

/** A call to `/v1/embeddings`. */
export interface EmbeddingRequest {
  /** Model by the caller's name. */
  readonly model: string
  /** Inputs in order; a text, the numbers of a text's tokens, or an object that some vendors know (an image). */
  readonly inputs: readonly EmbeddingInput[]
  readonly dimensions: number | undefined
  /** Empty when the caller did not say. */
  readonly user: string
  /** Fields beyond OpenAI's, as received. */
  readonly vendor: JsonObject
}

/** One input: a text, token numbers, or an object of a vendor's own. */
export type EmbeddingInput = string | readonly number[] | JsonObject

/** Vectors of an upstream's response, one for each input, in its order. */
export type EmbeddingVectors = readonly (readonly number[])[]

const known = ['model', 'input', 'dimensions', 'user', 'encoding_format']

/** The codec of an upstream whose embeddings have a form of their own. Its count is read wherever a vendor has one. */
export function embeddingCodec(own: ModeTranslation<EmbeddingRequest, EmbeddingVectors>): ModeCodec {
  return {
    encodeRequest: (body, target) => own.encodeRequest(decodeEmbeddingRequest(body), target),
    decodeResponse(response, { body, model }) {
      const vectors = own.decodeResponse(response, decodeEmbeddingRequest(body))
      if (vectors === undefined) return undefined
      return {
        usage: embeddingUsage(objectOf(response.json), response.header),
        contentType: jsonType,
        encode: (usage) =>
          JSON.stringify(embeddingList(vectors, { model, usage, base64: body.encoding_format === 'base64' })),
      }
    },
  }
}

/** @param body that has passed the checks of its mode */
export function decodeEmbeddingRequest(body: JsonObject): EmbeddingRequest {
  const { input, dimensions } = body
  return {
    model: textOf(body.model),
    inputs: inputsOf(input),
    dimensions: numberOf(dimensions),
    user: textOf(body.user),
    vendor: vendorFields(body, known),
  }
}

/** Returns the inputs: a list of token numbers is one, a list of anything else is as many. */
function inputsOf(input: unknown): readonly EmbeddingInput[] {
  if (!Array.isArray(input)) return [input as EmbeddingInput] // Checked: a text.
  return numberOf(input[0]) === undefined ? input : [input]
}

interface ListOptions {
  readonly model: string
  readonly usage: Usage
  readonly base64: boolean
}

function embeddingList(vectors: EmbeddingVectors, { model, usage, base64 }: ListOptions) {
  const tokens = promptTokensOf(usage)
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: base64 ? base64Of(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

/**
 * A response in OpenAI's form with its vectors in base64, as its caller asked for them; `undefined` where they are that already. SDKs
 * ask for base64 by default, and read a list of numbers as bytes: vectors of a quarter of the length.
 * Servers that ignore `encoding_format`: Ollama, LM Studio, Infinity.
 */
export function packedEmbeddings(body: string): string | undefined {
  if (!/"embedding"\s*:\s*\[/.test(body)) return undefined
  const response = objectOf(parseExactJson(body))
  const data = listOf(response.data).map((item) => packed(objectOf(item)))
  return JSON.stringify({ ...response, data })
}

function packed(item: JsonObject): JsonObject {
  const numbers = Array.isArray(item.embedding) ? item.embedding.map(numberOf) : [undefined]
  const vector = numbers.filter((each) => each !== undefined)
  return vector.length === numbers.length ? { ...item, embedding: base64Of(vector) } : item
}

/** Little-endian 32-bit floats, whatever this machine's order is. */
function base64Of(vector: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [index, value] of vector.entries()) view.setFloat32(index * 4, value, true)
  return base64OfBytes(new Uint8Array(view.buffer))
}
