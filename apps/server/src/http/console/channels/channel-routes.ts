import { calls } from '@tollgate/api'
import type { ManageChannels } from '../../../channels/manage/manage-channels.ts'
import { testChannel } from '../../../channels/testing/test-channel.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { bulkRoutes } from './channel-bulk-routes.ts'
import { listRequest } from './channel-list-request.ts'
import { type ChannelModelDependencies, modelRoutes } from './channel-model-routes.ts'
import { type ChannelRunDependencies, runRoutes } from './channel-run-routes.ts'

export interface ChannelRoutesDependencies extends ChannelRunDependencies, ChannelModelDependencies {
  readonly manage: ManageChannels
}

const { channels } = calls

/** Everything the console does with channels. */
export function channelRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  return [...singleRoutes(deps), ...bulkRoutes(deps), ...runRoutes(deps), ...modelRoutes(deps)]
}

function singleRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  const { manage } = deps
  const list = async (request: Parameters<ManageChannels['list']>[0]) => {
    const { channels: data, total } = await manage.list(request)
    return { data: [...data], extra: { total } }
  }
  return [
    route(channels.list, ({ query }) => list(listRequest(query))),
    route(channels.search, ({ query }) => list(listRequest(query))),
    route(channels.tags, async () => ({ data: [...(await manage.tags())] })),
    route(channels.get, async ({ params }) => ({ data: await manage.get(params.id) })),
    route(channels.create, async ({ body }, { actor }) => {
      const created =
        body.mode === 'separate'
          ? await manage.createSeparately(body, actor)
          : ([await manage.create(body, actor)] as const)
      const [data] = created
      return { data, extra: { ids: created.map(({ id }) => id) } }
    }),
    route(channels.copy, async ({ params }, { actor }) => ({ data: await manage.copy(params.id, actor) })),
    route(channels.update, async ({ body }, { actor }) => ({ data: await manage.update(body, actor) })),
    route(channels.delete, async ({ params }, { actor }) => {
      await manage.delete(params.id, actor)
      return { data: undefined }
    }),
    route(channels.revealKeys, async ({ params }, { actor }) => ({
      data: { keys: [...(await manage.revealKeys(params.id, actor))] },
    })),
    route(channels.changeKey, async ({ params, body }, { actor }) => ({
      data: await manage.changeKey(params.id, body, actor),
    })),
    route(channels.test, async ({ params, query }, { actor }) => ({
      data: undefined,
      extra: { time: await testChannel(params.id, query.model, actor, deps) },
    })),
  ]
}
