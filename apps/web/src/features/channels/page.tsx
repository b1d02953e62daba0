import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import { type Channel, channelStatuses } from '@tollgate/api'
import { Cable, Plus, Zap } from 'lucide-react'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListPage, type StepOptions } from '../../components/list/index.ts'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { useHotkey } from '../../lib/browser/hotkeys.ts'
import { type Command, useCommands } from '../../lib/commands.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { type ChannelRow, isTagRow, type TagRow } from './channel-rows.ts'
import { useChannelColumns } from './columns.tsx'
import { PageActions } from './many/page-actions.tsx'
import { useBulkActions } from './many/use-bulk-actions.ts'
import { tookOut, useChannelRun } from './many/use-channel-run.ts'
import { useChosenTest } from './many/use-chosen-test.tsx'
import { useManyEdit } from './many/use-many-edit.tsx'
import { useEditChannel } from './row-actions.tsx'
import type { ChannelsSearch } from './search.ts'
import { useChannelRows } from './use-channel-rows.ts'
import { useChannelFilters } from './use-filters.ts'
import { IdSortToggle, problemsFirst, useIdSort, ViewToggles } from './view-toggles.tsx'

const RunNotice = lazyComponent(() => import('./many/run-notice.tsx'), 'RunNotice')
const TakenOutNotice = lazyComponent(() => import('./many/run-notice.tsx'), 'TakenOutNotice')
const TestDialog = lazyComponent(() => import('./test/test-dialog.tsx'), 'TestDialog')
const NextSteps = lazyComponent(() => import('./next-steps.tsx'), 'NextSteps')
const StoredModelsDialog = lazyComponent(
  () => import('./fetch/stored-models-dialog.tsx'),
  'StoredModelsDialog',
)
const KeysDialog = lazyComponent(() => import('./form/keys/keys-dialog.tsx'), 'KeysDialog')
const ScheduleDialog = lazyComponent(
  () => import('./switching/schedule/schedule-dialog.tsx'),
  'ScheduleDialog',
)
const TagSheet = lazyComponent(() => import('./tags/tag-sheet.tsx'), 'TagSheet')

const route = getRouteApi('/console/channel')

export { preload } from './use-channel-rows.ts'

/** Overlay that is open over the list, beside the routed sheets. */
type OverlayState =
  | { readonly kind: 'test' | 'models' | 'keys' | 'schedule'; readonly channel: Channel }
  | { readonly kind: 'tag'; readonly row: TagRow }

/** Connections to upstream providers: how they do, and everything that can be done about it. */
export function ChannelsPage(): ReactNode {
  const { t } = useTranslation('channels')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/channel' })
  const [overlay, setOverlay] = useState<OverlayState>()
  const test = useChannelRun('test')
  const balances = useChannelRun('balances')
  const busy = test.run !== undefined || balances.run !== undefined
  const { list, toggleTag } = useChannelRows(search, busy)
  const opens = useMemo(
    () => ({
      onTestModels: (channel: Channel) => setOverlay({ kind: 'test', channel }),
      onFetchModels: (channel: Channel) => setOverlay({ kind: 'models', channel }),
      onShowKeys: (channel: Channel) => setOverlay({ kind: 'keys', channel }),
      onSchedule: (channel: Channel) => setOverlay({ kind: 'schedule', channel }),
      onEdit: (row: TagRow) => setOverlay({ kind: 'tag', row }),
    }),
    [],
  )
  const many = useManyEdit()
  const chosenTest = useChosenTest()
  const byId = useIdSort()
  const show = (next: ChannelsSearch, options?: StepOptions) =>
    void navigate({ to: '/channel', search: next, ...options })
  const view = {
    search,
    onChange: (part: ChannelsSearch) => show({ ...search, page: undefined, selected: undefined, ...part }),
  }
  const editChannel = useEditChannel()
  const add = () => void navigate({ to: '/channel/add', search: true })
  useHotkey('c', t('create.title'), add)
  useCommands(useChannelCommands(list.rows, { add, edit: editChannel, testAll: test.start }))

  return (
    <ListPage<ChannelRow, ChannelsSearch>
      name="channels"
      title={t('title')}
      actions={<PageActions test={test} balances={balances} />}
      notice={
        <>
          <Suspense>
            {search.saved !== undefined && (
              <NextSteps
                id={search.saved}
                tested={search.tested === true}
                onClose={() => show({ ...search, saved: undefined, tested: undefined })}
              />
            )}
          </Suspense>
          <Suspense>
            {test.run && <RunNotice control={test} />}
            {tookOut(test) && <TakenOutNotice control={test} />}
            {balances.run && <RunNotice control={balances} />}
          </Suspense>
          {chosenTest.notice}
        </>
      }
      columns={useChannelColumns({ byTag: search.tag_mode === true, onToggle: toggleTag, ...opens })}
      list={list}
      search={search}
      onSearch={show}
      defaultSort={byId ? '-id' : problemsFirst}
      searchBox={{ placeholder: t('filter.search'), name: 'keyword' }}
      filters={useChannelFilters()}
      moreFilters={<ViewToggles {...view} />}
      viewControls={<IdSortToggle {...view} />}
      empty={{ hint: t('empty.noMatchHint'), first: <NoChannels /> }}
      onOpen={(row) => (isTagRow(row) ? toggleTag(row.tag) : editChannel(row.id))}
      isMuted={(row) => !isTagRow(row) && row.status === channelStatuses.disabled}
      bulk={{
        actions: useBulkActions(many.edit, chosenTest.test),
        nameOf: (row) => (isTagRow(row) ? row.tag : row.name),
        isSelectable: (row) => !isTagRow(row),
      }}
    >
      {many.dialog}
      <Suspense>{overlay && <Overlay overlay={overlay} onClose={() => setOverlay(undefined)} />}</Suspense>
      <Outlet />
    </ListPage>
  )
}

function Overlay({ overlay, onClose }: { readonly overlay: OverlayState; readonly onClose: () => void }) {
  switch (overlay.kind) {
    case 'test':
      return <TestDialog channel={overlay.channel} onClose={onClose} />
    case 'models':
      return <StoredModelsDialog channel={overlay.channel} onClose={onClose} />
    case 'keys':
      return <KeysDialog channel={overlay.channel} onClose={onClose} />
    case 'schedule':
      return <ScheduleDialog channel={overlay.channel} onClose={onClose} />
    case 'tag':
      return <TagSheet row={overlay.row} onClose={onClose} />
  }
}

interface CommandTargets {
  readonly add: () => void
  readonly edit: (id: number) => void
  readonly testAll: () => void
}

/** Returns the commands of the palette while this page is open: its actions, and every channel on screen by name. */
function useChannelCommands(
  rows: readonly ChannelRow[] = [],
  { add, edit, testAll }: CommandTargets,
): readonly Command[] {
  const { t } = useTranslation('channels')
  const group = t('title')
  return [
    {
      id: 'channel-add',
      title: t('create.title'),
      group,
      icon: Plus,
      shortcut: 'c',
      keywords: ['create', 'new'],
      run: add,
    },
    { id: 'channel-test-all', title: t('action.testAllLong'), group, icon: Zap, run: testAll },
    ...rows.flatMap((row) =>
      isTagRow(row)
        ? []
        : [
            {
              id: `channel-${row.id}`,
              title: t('action.editNamed', { name: row.name, id: row.id }),
              group,
              icon: Cable,
              run: () => edit(row.id),
            },
          ],
    ),
  ]
}

function NoChannels() {
  const { t } = useTranslation('channels')
  return (
    <EmptyState
      icon={Cable}
      title={t('empty.title')}
      action={
        <LinkButton to="/channel/add" variant="primary" icon={Plus}>
          {t('empty.action')}
        </LinkButton>
      }
    >
      {t('empty.description')}
    </EmptyState>
  )
}
