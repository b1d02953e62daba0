import { calls } from '@tollgate/api'
import {
  type FetchModelsDependencies,
  fetchModels,
  fetchModelsForNew,
} from '../../channels/manage/fetch-models.ts'
import type { ManageChannels } from '../../channels/manage/manage-channels.ts'
import { enabledModels, knownModels, modelsByChannelType } from '../../channels/manage/model-lists.ts'
import type { TestAllChannels } from '../../channels/testing/test-all-channels.ts'
import { type TestChannelDependencies, testChannel } from '../../channels/testing/test-channel.ts'
import { type ConsoleRoute, route } from './route.ts'

export interface ChannelRoutesDependencies extends TestChannelDependencies, FetchModelsDependencies {
  readonly manage: ManageChannels
  readonly testAll: TestAllChannels
}

const { channels, models } = calls

/** Everything the console does with channels. */
export function channelRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  const { manage } = deps
  return [
    route(channels.list, async ({ query }) => ({
      data: await manage.list({
        page: query.p,
        size: query.page_size,
        byId: query.id_sort,
        byTag: query.tag_mode,
      }),
    })),
    route(channels.search, async ({ query }) => ({
      data: await manage.search({
        keyword: query.keyword,
        group: query.group,
        model: query.model,
        byId: query.id_sort,
        byTag: query.tag_mode,
      }),
    })),
    route(channels.get, async ({ params }) => ({ data: await manage.get(params.id) })),
    route(channels.create, async ({ body }, { caller }) => ({
      data: await manage.create(body, caller.role),
    })),
    route(channels.update, async ({ body }, { caller }) => ({
      data: await manage.update(body, caller.role),
    })),
    route(channels.delete, async ({ params }) => {
      await manage.delete(params.id)
      return { data: undefined }
    }),
    route(channels.test, async ({ params, query }, { caller }) => ({
      data: undefined,
      extra: { time: await testChannel(params.id, query.model, caller, deps) },
    })),
    route(channels.testAll, async (_, { caller }) => {
      deps.testAll.start(caller)
      return { data: undefined }
    }),
    ...modelRoutes(deps),
  ]
}

function modelRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
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
