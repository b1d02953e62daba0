import { useQueryClient } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { Search, Square, Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { formatDuration } from '../../../lib/format.ts'
import { refreshChannel, testChannel } from '../api.ts'
import { listOf } from '../channel-state.ts'
import { FailureText, OutcomeIcon } from './outcome.tsx'
import { countOutcomes, type RunTarget } from './run.ts'
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
  const { run, start, stop } = useRun<'test'>()
  const [filter, setFilter] = useState('')
  const models: readonly RunTarget[] = listOf(channel.models).map((name, id) => ({ id, name }))
  const shown = models.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  const standard = channel.test_model || models[0]?.name
  const count = run && countOutcomes(run.outcomes)

  async function test(targets: readonly RunTarget[]): Promise<void> {
    await start('test', targets, async ({ name }) =>
      formatDuration((await testChannel(channel.id, name)) * 1000),
    )
    await refreshChannel(client, channel.id)
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <Input
          icon={Search}
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
          <Button icon={Zap} disabled={shown.length === 0} onClick={() => void test(shown)}>
            {t('test.all', { count: shown.length })}
          </Button>
        )}
      </div>
      {run?.active && count && count.total > 1 && (
        <RunProgress done={count.done + count.failed} total={count.total} label={t('test.running')} />
      )}
      <ul className="-mx-2 flex flex-col">
        {shown.map((model) => {
          const outcome = run?.outcomes.get(model.id)
          return (
            <li
              key={model.id}
              className="flex min-h-9 items-center gap-2.5 rounded px-2 py-1.5 hover:bg-hover/60"
            >
              <OutcomeIcon outcome={outcome} />
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-2">
                  <span className="truncate font-mono text-xs leading-5">{model.name}</span>
                  {model.name === standard && <Tag>{t('test.standard')}</Tag>}
                </span>
                <FailureText outcome={outcome} />
              </span>
              {outcome?.state === 'done' && <span className="figures text-good">{outcome.note}</span>}
              <Button
                size="sm"
                disabled={run?.active ?? false}
                aria-label={t('action.test', { name: model.name })}
                onClick={() => void test([model])}
              >
                {t('test.one')}
              </Button>
            </li>
          )
        })}
        {shown.length === 0 && <li className="px-2 py-3 text-muted">{t('test.nothing')}</li>}
      </ul>
    </div>
  )
}
