import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSheet, useSaveForm } from '../../components/form/index.ts'
import { quotaToCurrency } from '../../lib/format.ts'
import { useMoneyDisplay } from '../../lib/status.ts'
import { createRedemptions, redemptionApi } from './api.ts'
import { CountField, NameField, QuotaField, useCheckCode } from './code-fields.tsx'
import { blankForm, type CodeForm, createBodyOf, fieldOf } from './code-form.ts'
import { type CreatedCodes, CreatedDialog } from './created-dialog.tsx'

/** One new code, or many of a kind; they are offered as a file at once. */
export function CreateRedemptionSheet(): ReactNode {
  const [created, setCreated] = useState<CreatedCodes>()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/redemption', search: true })
  if (created) return <CreatedDialog created={created} onClose={close} />
  return <CreateForm onClose={close} onCreated={setCreated} />
}

interface CreateFormProps {
  readonly onClose: () => void
  readonly onCreated: (created: CreatedCodes) => void
}

function CreateForm({ onClose, onCreated }: CreateFormProps) {
  const { t } = useTranslation('redemptions')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const saveForm = useSaveForm<CodeForm, CreatedCodes>({
    start: blankForm,
    check: useCheckCode(),
    fieldOf,
    save: async (values) => {
      const body = createBodyOf(values, quotaToCurrency(values.quota ?? 0, display))
      return { name: body.name, quota: body.quota, keys: await createRedemptions(body) }
    },
    onSaved: (created) => {
      onCreated(created)
      void redemptionApi.lists.refresh(client)
    },
  })
  const { form } = saveForm
  const count = form.watch('count') ?? 1
  return (
    <FormSheet
      saveForm={saveForm}
      onClose={onClose}
      title={t('create.title')}
      submitLabel={t('create.submit', { count })}
    >
      <NameField form={form} />
      <QuotaField form={form} />
      <CountField form={form} />
    </FormSheet>
  )
}
