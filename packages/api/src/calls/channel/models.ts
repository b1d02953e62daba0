import { z } from 'zod'
import { defineCall } from '../../call.ts'
import { idParams } from '../../wire.ts'

/** Names of models: of the product, of the channels, of an upstream. */
export const channelModelCalls = {
  /** All model names known to the product, for the form's picker. */
  models: defineCall({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    data: z.array(z.object({ id: z.string(), owned_by: z.string() })),
  }),
  enabledModels: defineCall({
    method: 'GET',
    path: '/api/channel/models_enabled',
    access: 'admin',
    data: z.array(z.string()),
  }),
  fetchModels: defineCall({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    params: idParams,
    data: z.array(z.string()),
  }),
  fetchModelsForNew: defineCall({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    body: z.object({ base_url: z.string().nullish(), type: z.number().int(), key: z.string() }),
    data: z.array(z.string()),
  }),
}
