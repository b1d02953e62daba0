import { ownerOf } from '../../../relay/model-owner.ts'
import { listedSince } from './listed-since.ts'

/** What older clients of gateways look for in each model. */
const permission = {
  id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ',
  object: 'model_permission',
  created: listedSince,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
} as const

/** https://platform.openai.com/docs/api-reference/models/object, with the fields that it once had. */
export function openAiModel(id: string) {
  return {
    id,
    object: 'model',
    created: listedSince,
    owned_by: ownerOf(id),
    permission: [permission],
    root: id,
    parent: null,
  }
}

export function openAiList(models: readonly string[]) {
  return { success: true, object: 'list', data: models.map(openAiModel) }
}
