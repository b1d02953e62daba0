import { useQueryClient } from '@tanstack/react-query'
import { calls, type ManagedIncident, type PublicIncidentState } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSheet } from '../../../components/form/form-sheet.tsx'
import { useSaveForm } from '../../../components/form/use-save-form.ts'
import { refreshStatusPage } from '../../../components/status-page/status-api.ts'
import { request } from '../../../lib/api/api-client.ts'
import { StateSelect, UpdateField } from './published-fields.tsx'

interface UpdateSheetProps {
  readonly incident: ManagedIncident
  /** The state that is proposed. */
  readonly state: PublicIncidentState
  readonly onClose: () => void
}

interface Values {
  readonly state: PublicIncidentState
  readonly text: string
}

/** Adds what is known by now; `resolved` ends the incident. */
export function UpdateSheet({ incident, state, onClose }: UpdateSheetProps) {
  const { t } = useTranslation('statusPage')
  const client = useQueryClient()
  const start = useMemo((): Values => ({ state, text: '' }), [state])
  const saveForm = useSaveForm<Values, unknown>({
    start,
    check: ({ text }) => ({ text: text.trim() === '' ? t('manage.missing.text') : undefined }),
    save: async (body) => {
      await request(calls.statusPage.addUpdate, { params: { id: incident.id }, body })
      await refreshStatusPage(client)
    },
    onSaved: onClose,
    successMessage: t('manage.saved'),
  })
  return (
    <FormSheet
      saveForm={saveForm}
      title={t('manage.updateTitle')}
      description={incident.title}
      submitLabel={t('manage.updateSubmit')}
      onClose={onClose}
    >
      <StateSelect form={saveForm.form} />
      <UpdateField form={saveForm.form} />
    </FormSheet>
  )
}
