import { useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { Circle, CircleCheck, CircleX, LoaderCircle, Search, Square, Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatDuration } from '../../../lib/format/format.ts'
import { refreshChannel, testChannel } from '../api.ts'
import { listOf } from '../channel-state.ts'
import { countOutcomes, type Outcome, type RunTarget } from './run.ts'
import { useRun } from './use-run.ts'

export interface TestDialogProps {
  readonly channel: Channel
  readonly onClose: () => void
}

/** Tests single models of a channel, or all that the filter leaves. */
export function TestDialog({ channel, onClose }: TestDialogProps) {
  const { t } = useTranslation('channels')
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('test.title', { name: channel.name })}
      description={t('test.description')}
    >
      <ModelTests channel={channel} />
    </Dialog>
  )
}

function ModelTests({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const { run, start, stop } = useRun()
  const [filter, setFilter] = useState('')
  const models: readonly RunTarget[] = listOf(channel.models).map((name, id) => ({ id, name }))
  const visible = models.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  const standard = channel.test_model || models[0]?.name
  const count = run && countOutcomes(run.outcomes)

  async function test(targets: readonly RunTarget[]): Promise<void> {
    await start(targets, async ({ name }) => formatDuration((await testChannel(channel.id, name)) * 1000))
    await refreshChannel(client, channel.id)
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <Input
          icon={Search}
          type="search"
          mono
          value={filter}
          placeholder={t('test.filter')}
          aria-label={t('test.filter')}
          onChange={(event) => setFilter(event.target.value)}
        />
        {run?.active && count ? (
          <Button icon={Square} onClick={stop}>
            {t('test.stop')}
          </Button>
        ) : (
          <Button icon={Zap} disabled={visible.length === 0} onClick={() => void test(visible)}>
            {t('test.all', { count: visible.length })}
          </Button>
        )}
      </div>
      {run?.active && count && count.total > 1 && (
        <RunProgress done={count.done + count.failed} total={count.total} label={t('test.running')} />
      )}
      <ul className="-mx-2 flex flex-col">
        {visible.map((model) => (
          <ModelRow
            key={model.id}
            name={model.name}
            isStandard={model.name === standard}
            outcome={run?.outcomes.get(model.id)}
            disabled={run?.active ?? false}
            onTest={() => void test([model])}
          />
        ))}
        {visible.length === 0 && <li className="px-2 py-3 text-muted">{t('test.nothing')}</li>}
      </ul>
    </div>
  )
}

interface ModelRowProps {
  readonly name: string
  /** The model that the channel's test takes when no other is named. */
  readonly isStandard: boolean
  readonly outcome: Outcome | undefined
  readonly disabled: boolean
  readonly onTest: () => void
}

function ModelRow({ name, isStandard, outcome, disabled, onTest }: ModelRowProps) {
  const { t } = useTranslation('channels')
  return (
    <li className="flex min-h-9 items-center gap-2.5 rounded px-2 py-1.5 hover:bg-hover/60">
      <OutcomeIcon outcome={outcome} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-mono text-xs leading-5">{name}</span>
          {isStandard && <Tag>{t('test.standard')}</Tag>}
        </span>
        <FailureText outcome={outcome} />
      </span>
      {outcome?.state === 'done' && <span className="figures text-good">{outcome.note}</span>}
      <Button size="sm" disabled={disabled} aria-label={t('action.test', { name })} onClick={onTest}>
        {t('test.one')}
      </Button>
    </li>
  )
}

const icons = { waiting: Circle, running: LoaderCircle, done: CircleCheck, failed: CircleX } as const
const colours = {
  waiting: 'text-faint',
  running: 'animate-spin text-muted',
  done: 'text-good',
  failed: 'text-bad',
}

function OutcomeIcon({ outcome }: { readonly outcome: Outcome | undefined }) {
  const state = outcome?.state ?? 'waiting'
  const Icon = icons[state]
  return <Icon className={cx('size-4 shrink-0', colours[state])} aria-hidden />
}

function FailureText({ outcome }: { readonly outcome: Outcome | undefined }) {
  if (outcome?.state !== 'failed') return null
  return <span className="block break-words text-bad text-xs">{outcome.message}</span>
}
