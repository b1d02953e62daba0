import { useMutation } from '@tanstack/react-query'
import type { RowOutcome } from '@tollgate/api'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RunProgress } from '../../../components/data-table/index.ts'
import { useStops } from '../../../components/stops/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { previewMany, updateInParts } from './api.ts'
import { ManyFields } from './many-fields.tsx'
import { blankManyForm, countPreview, lossOf, manyChangeOf } from './many-form.ts'
import { ManyPreview } from './many-preview.tsx'

export interface ManyDialogProps {
  readonly ids: readonly number[]
  /** Takes the outcome for each channel; nothing when the person thinks better of it. */
  readonly done: (outcomes: readonly RowOutcome[] | undefined) => void
}

/** Changes many channels in two steps: what to change, then what that would do to each. */
export function ManyDialog({ ids, done }: ManyDialogProps) {
  const { t } = useTranslation('channels')
  const formId = useId()
  const [form, setForm] = useState(blankManyForm)
  const [progress, setProgress] = useState(0)
  const change = manyChangeOf(form)
  const preview = useMutation({ mutationFn: () => previewMany(ids, change ?? {}), meta: { silent: true } })
  const apply = useMutation({
    mutationFn: () => updateInParts(ids, change ?? {}, setProgress),
    onSuccess: done,
  })
  const count = preview.data && countPreview(preview.data)
  const { ask } = useStops()

  /** Names the models that nobody would serve any more, where the change takes models or groups. */
  async function applyAfterStops(): Promise<void> {
    const loss = lossOf(form)
    const title = t('stops.editManyTitle', { count: ids.length })
    if (loss && !(await ask({ ids: [...ids], ...loss }, { title, confirmLabel: t('stops.edit') }))) return
    apply.mutate()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (change) preview.mutate()
  }

  return (
    <Dialog
      open
      size="lg"
      onClose={() => !apply.isPending && done(undefined)}
      title={t('many.title', { count: ids.length })}
      description={count ? t('many.previewHint', count) : t('many.description')}
      initialFocus={() => document.querySelector<HTMLElement>(`[id="${formId}"] [role="combobox"]`)}
      footer={
        count ? (
          <>
            {apply.isPending && (
              <span className="mr-auto flex items-center">
                <RunProgress done={progress} total={ids.length} label={t('many.running')} />
              </span>
            )}
            <Button disabled={apply.isPending} onClick={preview.reset}>
              {t('many.back')}
            </Button>
            <Button
              variant="primary"
              loading={apply.isPending}
              disabled={count.changed === 0}
              onClick={() => void applyAfterStops()}
            >
              {t('many.apply', { count: count.changed })}
            </Button>
          </>
        ) : (
          <Button
            variant="primary"
            type="submit"
            form={formId}
            disabled={change === undefined}
            loading={preview.isPending}
          >
            {t('many.preview')}
          </Button>
        )
      }
    >
      {preview.data ? (
        <ManyPreview previews={preview.data} />
      ) : (
        <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
          {preview.error && <Notice tone="bad">{preview.error.message}</Notice>}
          <ManyFields form={form} onChange={(part) => setForm({ ...form, ...part })} />
        </form>
      )}
    </Dialog>
  )
}
