import { fact, type ProfileEntry, type ProviderProfile } from '../target-profile.ts'
import { notReadAgain } from './dates.ts'
import { formOfItsOwn } from './undocumented.ts'

/** Applications, where the workflow decides the model and its options, and providers without chat. */

export const dify: ProviderProfile = formOfItsOwn
export const fastgpt: ProviderProfile = formOfItsOwn
export const aiproxyLibrary: ProviderProfile = formOfItsOwn

export const noChat: ProfileEntry = { chat: false }

export const jina: ProfileEntry = {
  chat: false,
  modes: {
    embeddings: fact(
      { takes: 'any', drops: ['stream_options'], names: { encoding_format: 'embedding_type' } },
      'https://jina.ai/embeddings',
      notReadAgain,
    ),
  },
}

export const voyage: ProfileEntry = {
  chat: false,
  modes: {
    embeddings: fact(
      {
        takes: 'any',
        drops: ['user', 'stream_options'],
        names: { dimensions: 'output_dimension' },
        // Vectors are floats by default, and a field that says so is refused.
        values: { encoding_format: { float: null } },
      },
      'https://docs.voyageai.com/reference/embeddings-api',
      notReadAgain,
    ),
  },
}
