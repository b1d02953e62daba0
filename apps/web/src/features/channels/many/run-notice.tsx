import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Square, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { currentLanguage } from '../../../i18n/index.ts'
import { localList } from '../../../i18n/local-list.ts'
import { toast } from '../../../lib/toast.ts'
import { reasonText } from '../reason-text.ts'
import { refreshed, undoTakenOut } from './api.ts'
import type { ChosenProgress } from './test-chosen.ts'
import type { ChannelRunControl } from './use-channel-run.ts'

/** Shows the progress of a run over all channels, who started it, and the way to end it. */
export function RunNotice({ control }: { readonly control: ChannelRunControl }) {
  const { t } = useTranslation('channels')
  const { run, kind } = control
  if (run === undefined) return null
  const label = t(`run.${kind}Running`)
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded bg-info-soft px-3 py-1.5 text-sm">
      <span>{label}</span>
      <RunProgress done={run.done} total={run.total} label={label} />
      {run.failed > 0 && <span className="text-bad text-xs">{t('run.failed', { count: run.failed })}</span>}
      <span className="text-muted text-xs">
        {run.started_by === 'system' ? t('run.bySchedule') : t('run.by', { name: run.started_by })}
      </span>
      <Button
        size="sm"
        icon={Square}
        className="ml-auto"
        loading={control.cancelling}
        onClick={control.cancel}
      >
        {t('run.cancel')}
      </Button>
    </div>
  )
}

/** Shows the progress of a test of chosen channels, and the way to stop it. */
export function ChosenNotice({
  done,
  failed,
  total,
  onStop,
}: ChosenProgress & { readonly onStop: () => void }) {
  const { t } = useTranslation('channels')
  const label = t('run.chosenRunning')
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded bg-info-soft px-3 py-1.5 text-sm">
      <span>{label}</span>
      <RunProgress done={done} total={total} label={label} />
      {failed > 0 && <span className="text-bad text-xs">{t('run.failed', { count: failed })}</span>}
      <Button size="sm" icon={Square} className="ml-auto" onClick={onStop}>
        {t('test.stop')}
      </Button>
    </div>
  )
}

/** What the last test of all channels took out of service, and the way to take it back. */
export function TakenOutNotice({ control: { last } }: { readonly control: ChannelRunControl }) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const [closed, setClosed] = useState<number>()
  const out = last?.taken_out ?? []
  const spared = last?.spared ?? []
  const undo = useMutation({
    mutationFn: () => refreshed(client, undoTakenOut(out)),
    onSuccess: (count) => {
      setClosed(last?.finished_at)
      toast.success(t('run.undone', { count }))
    },
  })
  if (last === undefined || out.length + spared.length === 0 || closed === last.finished_at) return null
  return (
    <section
      aria-label={t('run.takenOut', { count: out.length })}
      className="flex items-start gap-3 rounded bg-warn-soft px-3 py-1.5 text-sm"
    >
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {out.length > 0 && (
          <>
            <p className="font-medium">{t('run.takenOut', { count: out.length })}</p>
            <ul className="max-h-40 overflow-y-auto">
              {out.map(({ id, name, key, ...reason }) => (
                <li key={`${id} ${key?.index}`} className="break-words">
                  {name}
                  {key !== null && ` · ${t('run.keyOf', { hint: key.hint })}`}
                  <span className="text-muted">
                    {` · ${reasonText({ reason: '', ...reason }, currentLanguage())}`}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
        {spared.length > 0 && (
          <p className="break-words text-muted">
            {t('run.spared', { names: localList(spared.map(({ name }) => name)) })}
          </p>
        )}
      </div>
      {out.length > 0 && (
        <Button size="sm" icon={Undo2} loading={undo.isPending} onClick={() => undo.mutate()}>
          {t('run.undo')}
        </Button>
      )}
      <IconButton size="sm" icon={X} label={t('run.close')} onClick={() => setClosed(last.finished_at)} />
    </section>
  )
}
