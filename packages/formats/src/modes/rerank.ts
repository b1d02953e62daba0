import { numberOf } from '../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import { promptTokensOf, type Usage } from '../usage.ts'
import { jsonType, type ModeCodec, type ModeTranslation, vendorFields } from './plain-codec.ts'
import { documentText } from './request-kinds.ts'

/** A call to `/v1/rerank`, in the form that Jina and Cohere share. */
export interface RerankRequest {
  readonly model: string
  readonly query: string
  /** Documents as received: texts, or objects that hold one. */
  readonly documents: readonly unknown[]
  /** The texts of the documents, in their order. */
  readonly texts: readonly string[]
  /** `undefined` when the caller wants them all. */
  readonly topN: number | undefined
  readonly returnDocuments: boolean
  /** Fields beyond these, as received. */
  readonly vendor: JsonObject
}

/** Response of an upstream to a rerank. */
export interface RerankResponse {
  /** Best first, as the upstream ordered them. */
  readonly results: readonly RerankResult[]
  readonly usage: Usage | undefined
}

/** One document's place and score. */
export interface RerankResult {
  /** Place of the document in the request. */
  readonly index: number
  readonly score: number
}

const known = ['model', 'query', 'documents', 'top_n', 'return_documents']

/** The codec of an upstream whose rerank has a form of its own. */
export function rerankCodec(own: ModeTranslation<RerankRequest, RerankResponse>): ModeCodec {
  return {
    encodeRequest: (body, target) => own.encodeRequest(decodeRerankRequest(body), target),
    decodeResponse(response, { body, model, responseId }) {
      const request = decodeRerankRequest(body)
      const found = own.decodeResponse(response, request)
      if (found === undefined) return undefined
      return {
        usage: found.usage,
        contentType: jsonType,
        encode: (usage) =>
          JSON.stringify({
            id: responseId,
            model,
            results: resultsOf(found, request),
            usage: usageOf(usage),
          }),
      }
    },
  }
}

/** Facts of the call in the second version of a response to a rerank. */
interface RerankCall {
  readonly request: JsonObject
  readonly charged: Usage
  /** Id of a response without one. */
  readonly responseId: string
}

/** Documents of one search, as Cohere bills them. */
const documentsPerSearch = 100

/**
 * A response of Jina's or Cohere's first form, as Cohere's second version writes it: without the documents, and with its
 * counts under `meta`. https://docs.cohere.com/reference/rerank (2026-11-28)
 */
export function encodeRerankV2(body: unknown, { request, charged, responseId }: RerankCall): string {
  const { id, results, meta } = objectOf(body)
  const searches = Math.max(1, Math.ceil(listOf(request.documents).length / documentsPerSearch))
  const input = promptTokensOf(charged)
  return JSON.stringify({
    id: textOf(id) || responseId,
    results: listOf(results).map((result) => {
      const { index, relevance_score } = objectOf(result)
      return { index, relevance_score }
    }),
    meta: {
      billed_units: { search_units: searches },
      ...(input > 0 && { tokens: { input_tokens: input, output_tokens: charged.outputTokens } }),
      ...objectOf(meta),
      api_version: { version: '2' },
    },
  })
}

/** @param body that has passed the checks of its mode */
function decodeRerankRequest(body: JsonObject): RerankRequest {
  const documents = Array.isArray(body.documents) ? body.documents : []
  return {
    model: textOf(body.model),
    query: textOf(body.query),
    documents,
    texts: documents.map(documentText),
    topN: numberOf(body.top_n),
    returnDocuments: body.return_documents === true,
    vendor: vendorFields(body, known),
  }
}

/** Returns the results; a document comes back as the object that it was sent as, or as one with its text. */
function resultsOf({ results }: RerankResponse, { documents, returnDocuments, topN }: RerankRequest) {
  return results.slice(0, topN).map(({ index, score }) => {
    const document = documents[index]
    return {
      index,
      relevance_score: score,
      ...(returnDocuments && { document: isObject(document) ? document : { text: documentText(document) } }),
    }
  })
}

function usageOf(usage: Usage) {
  const prompt = promptTokensOf(usage)
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.outputTokens,
    total_tokens: prompt + usage.outputTokens,
  }
}
