import { embeddingCodec, objectOf, readUsage, unsupported } from '@tollgate/formats'
import { droppedEmbeddingOptions, textInputs, vectorsIn } from '../embedding-inputs.ts'

const most = { tao: 1, others: 16 } as const

/** The model stands in the address. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/alj562vvu */
export const embeddings = embeddingCodec({
  encodeRequest(request, { model }) {
    if (request.dimensions !== undefined)
      throw unsupported('dimensions', 'the model has one length of vectors')
    const input = textInputs(request, /^tao-8k/i.test(model) ? most.tao : most.others)
    const { user } = request
    const dropped = droppedEmbeddingOptions({ ...request, user: '' })
    return { body: { input, ...(user !== '' && { user_id: user }) }, dropped }
  },
  decodeResponse({ json }) {
    const { data, usage } = objectOf(json)
    const vectors = vectorsIn(data, { vector: 'embedding', place: 'index' })
    return vectors && { vectors, usage: readUsage({ ...objectOf(usage), completion_tokens: 0 }) }
  },
})
