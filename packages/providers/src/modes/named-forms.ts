import type { ModeCodec } from '@tollgate/formats'
import type { FormName } from '../provider-row.ts'
import { togetherImages, xaiImages } from './images.ts'
import { jinaLikeRerank, voyageRerank } from './rerank.ts'

/** Forms of modes beside chat that a row of the provider table names. */
export const namedForms: Readonly<Record<FormName, ModeCodec>> = {
  'jina-like': jinaLikeRerank,
  together: togetherImages,
  voyage: voyageRerank,
  xai: xaiImages,
}
