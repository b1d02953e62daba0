import { type CallArguments, type ChannelRun, calls } from '@tollgate/api'
import type { ChannelBalances } from '../../../channels/balance/update-balances.ts'
import { commaList } from '../../../channels/manage/channel-input.ts'
import { keyHint, keyIds } from '../../../channels/manage/channel-keys.ts'
import { type TestDraftDependencies, testDraft } from '../../../channels/manage/draft-channel.ts'
import {
  enabledModels,
  type FetchModelsDependencies,
  fetchModels,
  fetchModelsForNew,
  knownModels,
  modelsByChannelType,
} from '../../../channels/manage/fetch-models.ts'
import type { ChannelListRequest } from '../../../channels/manage/list-channels.ts'
import type { ManageChannels } from '../../../channels/manage/manage-channels.ts'
import type { AuditedRun } from '../../../channels/testing/audited-run.ts'
import type { RunProgress } from '../../../channels/testing/channel-runner.ts'
import { type TestChannelDependencies, testChannel } from '../../../channels/testing/test-channel.ts'
import { Refusal } from '../../../lib/refusal.ts'
import {
  consequencesOf,
  type IntendedChange,
  type IntendedChangeDependencies,
} from '../../../models/intended-change.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { bulkResult, type ConsoleRoute, route } from '../route.ts'

export interface ChannelRoutesDependencies
  extends TestChannelDependencies,
    FetchModelsDependencies,
    TestDraftDependencies,
    IntendedChangeDependencies {
  readonly intendedRevert: (actor: Actor, record: number) => Promise<IntendedChange>
  readonly manage: ManageChannels
  readonly settings: SettingsReader
  readonly testRun: AuditedRun
  readonly balanceRun: AuditedRun
  readonly balances: Pick<ChannelBalances, 'update'>
}

const { channels, models } = calls

/** All calls about channels. */
export function channelRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  return [...singleRoutes(deps), ...bulkRoutes(deps), ...runRoutes(deps), ...modelRoutes(deps)]
}

function singleRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  const { manage } = deps
  const list = async (query: ListQuery) => {
    const { channels: data, total } = await manage.list(listRequest(query))
    return { data, extra: { total } }
  }
  return [
    route(channels.list, ({ query }) => list(query)),
    route(channels.search, ({ query }) => list(query)),
    route(channels.tags, () => manage.tags()),
    route(channels.get, ({ params }) => manage.get(params.id)),
    route(channels.create, async ({ body }, { actor, warn }) => {
      const created =
        body.mode === 'separate'
          ? await manage.createSeparately(body, actor)
          : ([await manage.create(body, actor)] as const)
      warn('groups', groupsIn(created[0].group, deps))
      return { data: created[0], extra: { ids: created.map(({ id }) => id) } }
    }),
    route(channels.copy, ({ params }, { actor }) => manage.copy(params.id, actor)),
    route(channels.update, async ({ body }, { actor, warn }) => {
      const updated = await manage.update(body, actor)
      if (body.group !== undefined) warn('groups', groupsIn(updated.group, deps))
      return updated
    }),
    route(channels.setStatus, async ({ params: { id }, body: { status } }, { actor }) => {
      const before = await manage.get(id)
      if (before.status === status) return false
      await manage.update({ id, status }, actor)
      return true
    }),
    route(channels.schedule, ({ params, body }, { actor }) => manage.schedule(params.id, body, actor)),
    route(channels.cancelSchedule, ({ params }, { actor }) => manage.cancelSchedule(params.id, actor)),
    route(channels.scheduleKey, ({ params, body }, { actor }) => manage.scheduleKey(params.id, body, actor)),
    route(channels.drain, ({ params, body }, { actor }) => manage.drain(params.id, body, actor)),
    route(channels.endDrain, ({ params }, { actor }) => manage.endDrain(params.id, actor)),
    route(channels.delete, ({ params }, { actor }) => manage.delete(params.id, actor)),
    route(channels.revealKeys, async ({ params }, { actor }) => ({
      keys: await manage.revealKeys(params.id, actor),
    })),
    route(channels.changeKey, ({ params, body }, { actor }) => manage.changeKey(params.id, body, actor)),
    route(channels.addKeys, async ({ params, body }, { actor }) => {
      const { channel, added } = await manage.addKeys(params.id, body.key, actor)
      return { data: channel, extra: { added } }
    }),
    route(channels.test, async ({ params, query: { model, key_id } }, { actor }) => {
      const tested = {
        model,
        keyIndex: key_id === undefined ? undefined : keyIndexOf(params.id, key_id, deps),
      }
      return { data: undefined, extra: { time: await testChannel(params.id, tested, actor, deps) } }
    }),
    route(channels.testDraft, ({ body }, { actor, language }) => testDraft(body, actor, language, deps)),
  ]
}

function keyIndexOf(
  id: number,
  keyId: string,
  { directory, vault }: Pick<ChannelRoutesDependencies, 'directory' | 'vault'>,
): number {
  const index = keyIds(directory.snapshot.channel(id)?.keys ?? [], vault).indexOf(keyId)
  if (index < 0) throw new Refusal('channel_key_gone')
  return index
}

type ListQuery =
  | CallArguments<(typeof channels)['list']>['query']
  | CallArguments<(typeof channels)['search']>['query']

/** Older consoles ask for the order of ids by `id_sort`. */
function listRequest({ p, page_size, id_sort, tag_mode, ...query }: ListQuery): ChannelListRequest {
  const { sort = id_sort ? 'id' : 'priority', order, group, model, keyword, ...declared } = query
  return { page: p, size: page_size, byTag: tag_mode, sort, order, group, model, keyword, declared }
}

function bulkRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  const { manage } = deps
  const { bulk } = manage
  return [
    route(channels.deleteMany, async ({ body }, { actor, language }) =>
      bulkResult(await bulk.delete(body.ids, actor), language),
    ),
    route(channels.deleteDisabled, (_, { actor }) => bulk.deleteDisabled(actor)),
    route(channels.updateMany, async ({ body }, { actor, language, warn }) => {
      const outcomes = await bulk.update(body, actor)
      if (body.group?.mode !== 'remove') warn('groups', groupsIn(body.group?.names ?? '', deps))
      return bulkResult(outcomes, language)
    }),
    route(channels.previewMany, ({ body }, { actor, language }) =>
      bulk.preview(body, { role: actor.role, language }),
    ),
    route(channels.stops, async ({ body }, { actor }) => {
      const { record } = body
      return consequencesOf(record === undefined ? body : await deps.intendedRevert(actor, record), deps)
    }),
    route(channels.tagMany, async ({ body }, { actor, language }) =>
      bulkResult(await bulk.setTag(body.ids, body.tag, actor), language),
    ),
    route(channels.updateTag, async ({ body }, { actor, warn }) => {
      const edited = await manage.editTag(body, actor)
      warn('groups', groupsIn(body.groups ?? '', deps))
      return edited
    }),
    route(channels.enableTag, ({ body }, { actor }) => bulk.switchTag(body.tag, 'enabled', actor)),
    route(channels.disableTag, ({ body }, { actor }) => bulk.switchTag(body.tag, 'disabled', actor)),
    route(channels.fix, (_, { actor }) => manage.fix(actor)),
  ]
}

/** Groups of a comma list that have no ratio yet: no call reaches a channel in them. */
function groupsIn(
  list: string,
  { settings }: Pick<ChannelRoutesDependencies, 'settings'>,
): readonly string[] {
  return commaList(list).filter((group) => !Object.hasOwn(settings.current.GroupRatio, group))
}

/** Runs over all channels, and the balance of one. */
function runRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  const { testRun, balanceRun, balances } = deps
  return [
    route(channels.testAll, (_, { actor }) => testRun.start(actor)),
    route(channels.testProgress, () => toWire(testRun.progress, deps)),
    route(channels.cancelTest, async (_, { actor }) => toWire(await testRun.cancel(actor), deps)),
    route(channels.updateBalance, async ({ params }, { actor }) => ({
      data: undefined,
      extra: { balance: await balances.update(params.id, actor) },
    })),
    route(channels.updateAllBalances, (_, { actor }) => balanceRun.start(actor)),
    route(channels.balanceProgress, () => toWire(balanceRun.progress, deps)),
    route(channels.cancelBalances, async (_, { actor }) => toWire(await balanceRun.cancel(actor), deps)),
  ]
}

function toWire(
  { startedAt, finishedAt, startedBy, takenOut, ...figures }: RunProgress,
  { directory }: Pick<ChannelRoutesDependencies, 'directory'>,
): ChannelRun {
  const keyOf = (id: number, index: number) => ({
    index,
    hint: keyHint(directory.snapshot.channel(id)?.keys[index] ?? ''),
  })
  return {
    ...figures,
    spared: [...figures.spared],
    started_at: startedAt,
    finished_at: finishedAt,
    started_by: startedBy,
    taken_out: takenOut.map(({ id, name, keyIndex, reason }) => ({
      id,
      name,
      key: keyIndex === null ? null : keyOf(id, keyIndex),
      reason_code: reason.code,
      reason_params: reason.params,
    })),
  }
}

/** Names of models: built in, of the channels, of an upstream. */
function modelRoutes(deps: ChannelRoutesDependencies): readonly ConsoleRoute[] {
  return [
    route(channels.models, () => knownModels()),
    route(channels.enabledModels, () => enabledModels(deps.directory.snapshot)),
    route(channels.fetchModels, ({ params }) => fetchModels(params.id, deps)),
    route(channels.fetchModelsForNew, ({ body }, { actor }) => fetchModelsForNew(body, actor, deps)),
    route(models.byChannelType, () => modelsByChannelType()),
  ]
}
