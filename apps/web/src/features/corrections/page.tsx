import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { CorrectionPreview } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Textarea } from '../../components/ui/field/input.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { toast } from '../../lib/toast.ts'
import { applyCorrection, previewCorrection, progressQuery, selectionOf } from './api.ts'
import { CorrectionList } from './correction-list.tsx'
import { PreviewTables } from './preview-tables.tsx'
import type { CorrectionsSearch } from './search.ts'
import { SelectionFields } from './selection-fields.tsx'

const route = getRouteApi('/console/correction')
const progressEveryMs = 1000

/** Charges that were made at a wrong price: which calls, what each would be by the prices in force, and for whom. */
export function CorrectionsPage(): ReactNode {
  const { t } = useTranslation('corrections')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const selection = selectionOf(search)
  const preview = useMutation({ mutationFn: previewCorrection, meta: { silent: true } })

  function show(part: CorrectionsSearch): void {
    // What is on screen must be what is corrected.
    preview.reset()
    void navigate({ search: (before: CorrectionsSearch) => ({ ...before, ...part }), replace: true })
  }

  return (
    <Page>
      <PageHeader title={t('title')} description={t('description')} />
      <Card title={t('calls.title')} description={t('calls.hint')}>
        <SelectionFields search={search} onChange={show} />
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button
            variant="primary"
            disabled={selection === undefined}
            loading={preview.isPending}
            onClick={() => selection && preview.mutate(selection)}
          >
            {t('preview')}
          </Button>
          <Progress isRunning={preview.isPending} />
        </div>
        {preview.error && (
          <Notice tone="bad" className="mt-3">
            {preview.error.message}
          </Notice>
        )}
      </Card>
      {preview.data && selection && (
        <Card title={t('result.title')}>
          <PreviewTables preview={preview.data} />
          {preview.data.changed > 0 && (
            <ApplyForm preview={preview.data} selection={selection} onApplied={() => preview.reset()} />
          )}
        </Card>
      )}
      <CorrectionList />
    </Page>
  )
}

interface ApplyFormProps {
  readonly preview: CorrectionPreview
  readonly selection: NonNullable<ReturnType<typeof selectionOf>>
  readonly onApplied: () => void
}

/** The reason, which every user reads, and the step itself. */
function ApplyForm({ preview, selection, onApplied }: ApplyFormProps) {
  const { t } = useTranslation('corrections')
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const apply = useMutation({
    mutationFn: () => applyCorrection({ ...selection, reason, confirmation: preview.confirmation }),
    onSuccess: ({ users }) => {
      toast.success(t('applied', { count: users }))
      onApplied()
    },
    onSettled: () => client.invalidateQueries(),
    meta: { silent: true },
  })
  return (
    <div className="mt-4 flex max-w-[640px] flex-col gap-3 border-t pt-4">
      <Field label={t('reason.label')} hint={t('reason.hint')} required>
        <Textarea
          rows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      {apply.error && <Notice tone="bad">{apply.error.message}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="danger"
          disabled={reason.trim() === ''}
          loading={apply.isPending}
          onClick={() => apply.mutate()}
        >
          {t('apply', { count: preview.changed, calls: formatInteger(preview.changed) })}
        </Button>
        <Progress isRunning={apply.isPending} />
      </div>
    </div>
  )
}

/** Shows the progress of a run, for as long as it runs. */
function Progress({ isRunning }: { readonly isRunning: boolean }) {
  const { t } = useTranslation('corrections')
  const { data } = useQuery({ ...progressQuery, enabled: isRunning, refetchInterval: progressEveryMs })
  if (!isRunning || !data?.running) return null
  return (
    <span className="figures text-muted text-sm" role="status">
      {t('progress', { calls: formatInteger(data.calls), users: formatInteger(data.users) })}
    </span>
  )
}
