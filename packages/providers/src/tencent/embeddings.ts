import { embeddingCodec, objectOf, readUsage, unsupported } from '@tollgate/formats'
import { droppedEmbeddingOptions, textInputs, vectorsIn } from '../embedding-inputs.ts'

const most = 200

/** There is one model, and no word for it. https://cloud.tencent.com/document/api/1729/102832 */
export const embeddings = embeddingCodec({
  encodeRequest(request) {
    if (request.dimensions !== undefined)
      throw unsupported('dimensions', 'the model has one length of vectors')
    return { body: { InputList: textInputs(request, most) }, dropped: droppedEmbeddingOptions(request) }
  },
  decodeResponse({ json }) {
    const { Data: data, Usage: usage } = objectOf(objectOf(json).Response)
    const vectors = vectorsIn(data, { vector: 'Embedding', place: 'Index' })
    const { PromptTokens: tokens } = objectOf(usage)
    return vectors && { vectors, usage: readUsage({ prompt_tokens: tokens, completion_tokens: 0 }) }
  },
})
