import { useQueryClient } from '@tanstack/react-query'
import { calls, type ManagedIncident } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { baseOf } from '../../../components/form/edit-base.ts'
import { FormField } from '../../../components/form/form-field.tsx'
import { FormSheet } from '../../../components/form/form-sheet.tsx'
import { useSaveForm } from '../../../components/form/use-save-form.ts'
import { refreshStatusPage } from '../../../components/status-page/status-api.ts'
import { Field } from '../../../components/ui/field/field.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { formatDateTime } from '../../../lib/format/format.ts'
import { ModelsField, TextBox, TimeField, TitleField } from './published-fields.tsx'

interface EditSheetProps {
  readonly incident: ManagedIncident
  readonly onClose: () => void
}

interface Values {
  readonly title: string
  readonly models: readonly string[]
  readonly started_at: number
  readonly ended_at?: number
  readonly texts: readonly string[]
}

/** Corrects what was published; who reads it sees the new words alone. */
export function EditSheet({ incident, onClose }: EditSheetProps) {
  const { t } = useTranslation('statusPage')
  const client = useQueryClient()
  const start = useMemo(() => valuesOf(incident), [incident])
  const saveForm = useSaveForm<Values, unknown>({
    start,
    check: ({ title, texts }) => ({
      title: title.trim() === '' ? t('manage.missing.title') : undefined,
      texts: texts.some((text) => text.trim() === '') ? t('manage.missing.text') : undefined,
    }),
    save: async (values, base) => {
      const body = { ...values, models: [...values.models], texts: [...values.texts] }
      await request(calls.statusPage.update, {
        params: { id: incident.id },
        body: { ...body, base: baseOf(base.started, body, base.seen) },
      })
      await refreshStatusPage(client)
    },
    onSaved: onClose,
    successMessage: t('manage.saved'),
  })
  const { form } = saveForm
  return (
    <FormSheet
      saveForm={saveForm}
      closesUntouched
      title={t('manage.editTitle')}
      submitLabel={t('manage.editSubmit')}
      onClose={onClose}
    >
      <TitleField form={form} />
      <ModelsField form={form} />
      <TimeField<Values> form={form} name="started_at" label={t('manage.field.startedAt')} />
      {incident.ended_at > 0 && (
        <TimeField<Values> form={form} name="ended_at" label={t('manage.column.ended')} />
      )}
      <FormField<Values, readonly string[]> form={form} name="texts" label={t('updates')}>
        {(control) => (
          <div className="flex flex-col gap-4">
            {incident.updates.map(({ at, state }, index) => (
              <Field
                // Updates have no name of their own: their order is theirs for good.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                key={index}
                label={t('manage.field.textOf', { state: t(`phase.${state}`), at: formatDateTime(at) })}
              >
                <TextBox
                  {...control}
                  value={control.value[index] ?? ''}
                  onChange={(text) => control.onChange(control.value.with(index, text))}
                />
              </Field>
            ))}
          </div>
        )}
      </FormField>
    </FormSheet>
  )
}

function valuesOf({ title, models, started_at, ended_at, updates }: ManagedIncident): Values {
  const texts = updates.map(({ text }) => text)
  return { title, models, started_at, ...(ended_at > 0 && { ended_at }), texts }
}
