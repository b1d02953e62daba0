import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CallData, calls, type PublicIncidentState } from '@tollgate/api'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSheet, RecordSheet } from '../../../components/form/form-sheet.tsx'
import { useSaveForm } from '../../../components/form/use-save-form.ts'
import { refreshStatusPage } from '../../../components/status-page/status-api.ts'
import { request } from '../../../lib/api/api-client.ts'
import { secondsNow } from '../../../lib/server-clock.ts'
import { draftQuery } from './published-api.ts'
import { ModelsField, StateSelect, TimeField, TitleField, UpdateField } from './published-fields.tsx'

interface PublishSheetProps {
  /** The cause that is being published; 0: none. */
  readonly causeId: number
  readonly onClose: () => void
}

type Draft = CallData<(typeof calls)['statusPage']['draft']>

/** Publishes an incident: of a cause with its models and times, or without one. */
export function PublishSheet({ causeId, onClose }: PublishSheetProps) {
  const { t } = useTranslation('statusPage')
  const query = useQuery(draftQuery(causeId))
  return (
    <RecordSheet title={t('manage.publishTitle')} onClose={onClose} query={query}>
      {(draft) => <PublishForm causeId={causeId} draft={draft} onClose={onClose} />}
    </RecordSheet>
  )
}

interface Values {
  readonly title: string
  readonly state: PublicIncidentState
  readonly models: readonly string[]
  readonly started_at: number
  readonly ended_at: number
  readonly text: string
}

function PublishForm({ causeId, draft, onClose }: PublishSheetProps & { readonly draft: Draft }) {
  const { t } = useTranslation('statusPage')
  const client = useQueryClient()
  const start = useMemo(() => startOf(causeId, draft, t), [causeId, draft, t])
  const saveForm = useSaveForm<Values, unknown>({
    start,
    check: ({ title, text }) => ({
      title: title.trim() === '' ? t('manage.missing.title') : undefined,
      text: text.trim() === '' ? t('manage.missing.text') : undefined,
    }),
    save: async (values) => {
      const body = { ...values, models: [...values.models], incident_id: causeId }
      await request(calls.statusPage.create, { body })
      await refreshStatusPage(client)
    },
    onSaved: onClose,
    successMessage: t('manage.published'),
  })
  const { form } = saveForm
  return (
    <FormSheet
      saveForm={saveForm}
      title={t('manage.publishTitle')}
      description={t('manage.description')}
      submitLabel={t('manage.publishSubmit')}
      onClose={onClose}
    >
      <TitleField form={form} />
      <StateSelect form={form} />
      <ModelsField form={form} />
      <TimeField<Values> form={form} name="started_at" label={t('manage.field.startedAt')} />
      {form.watch('state') === 'resolved' && (
        <TimeField<Values> form={form} name="ended_at" label={t('manage.column.ended')} />
      )}
      <UpdateField form={form} />
    </FormSheet>
  )
}

/** Proposes values: of a cause a title and a text that name its models and nothing of the operator's. */
function startOf(
  causeId: number,
  { models, started_at, ended_at }: Draft,
  t: TFunction<'statusPage'>,
): Values {
  const now = Math.floor(secondsNow())
  const [name] = models
  const words = ended_at > 0 ? 'over' : 'draft'
  const title =
    name === undefined
      ? t(`manage.${words}.titleNone`)
      : t(`manage.${words}.title`, { name, count: models.length })
  return {
    title: causeId === 0 ? '' : title,
    state: ended_at > 0 ? 'resolved' : 'investigating',
    models,
    started_at: started_at || now,
    ended_at: ended_at || now,
    text: causeId === 0 ? '' : t(`manage.${words}.text`),
  }
}
