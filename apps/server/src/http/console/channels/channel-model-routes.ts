import { calls } from '@tollgate/api'
import {
  type FetchModelsDependencies,
  fetchModels,
  fetchModelsForNew,
} from '../../../channels/manage/fetch-models.ts'
import { enabledModels, knownModels, modelsByChannelType } from '../../../channels/manage/model-lists.ts'
import type { TestChannelDependencies } from '../../../channels/testing/test-channel.ts'
import { type ConsoleRoute, route } from '../route.ts'

export interface ChannelModelDependencies extends TestChannelDependencies, FetchModelsDependencies {}

const { channels, models } = calls

/** Names of models: of the product, of the channels, of an upstream. */
export function modelRoutes(deps: ChannelModelDependencies): readonly ConsoleRoute[] {
  return [
    route(channels.models, async () => ({ data: [...knownModels()] })),
    route(channels.enabledModels, async () => ({ data: enabledModels(deps.directory.snapshot) })),
    route(channels.fetchModels, async ({ params }) => ({ data: await fetchModels(params.id, deps) })),
    route(channels.fetchModelsForNew, async ({ body }, { caller }) => ({
      data: await fetchModelsForNew(body, caller.role, deps),
    })),
    route(models.byChannelType, async () => ({ data: modelsByChannelType() })),
  ]
}
