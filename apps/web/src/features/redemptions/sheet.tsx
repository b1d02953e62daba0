import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { WireRedemption } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { baseOf, FormSheet, RecordSheet, useSaveForm } from '../../components/form/index.ts'
import { KeyValue } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatDateTime, quotaToCurrency } from '../../lib/format/format.ts'
import { createRedemptions, redemptionApi, updateRedemption } from './api.ts'
import { CodeCell, RedeemedCell, StatusCell } from './cells.tsx'
import { CountField, NameField, QuotaField, useCheckCode } from './code-fields.tsx'
import { blankForm, type CodeForm, createBodyOf, fieldOf } from './code-form.ts'
import { stateOf } from './code-state.ts'
import { type CreatedCodes, CreatedDialog } from './created-dialog.tsx'

const route = getRouteApi('/console/redemption/edit/$id')

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

/** A stored code: what became of it, and while it is unused its name and what it is worth. */
export function EditRedemptionSheet(): ReactNode {
  const { id } = route.useParams()
  // Another code is another form.
  return <EditSheet key={id} id={Number(id)} />
}

function EditSheet({ id }: { readonly id: number }) {
  const { t } = useTranslation('redemptions')
  const navigate = useNavigate()
  const query = useQuery(redemptionApi.one(useQueryClient(), id))
  const close = () => void navigate({ to: '/redemption', search: true })
  return (
    <RecordSheet query={query} title={t('view.title')} onClose={close}>
      {(code) =>
        stateOf(code) === 'unused' ? (
          <EditForm code={code} onClose={close} />
        ) : (
          <Sheet open onClose={close} title={t('view.title')} description={code.name}>
            <div className="flex flex-col gap-5">
              <Notice tone="info">{t(`view.${stateOf(code) === 'used' ? 'used' : 'disabled'}`)}</Notice>
              <Facts code={code} />
            </div>
          </Sheet>
        )
      }
    </RecordSheet>
  )
}

interface EditFormProps {
  readonly code: WireRedemption
  readonly onClose: () => void
}

function EditForm({ code, onClose }: EditFormProps) {
  const { t } = useTranslation('redemptions')
  const client = useQueryClient()
  const { id, name, quota } = code
  const display = useMoneyDisplay()
  const saveForm = useSaveForm<CodeForm, WireRedemption>({
    start: { name, quota, count: 1 },
    check: useCheckCode(),
    fieldOf,
    save: (values, { started, seen }) => {
      const { count: _count, ...body } = createBodyOf(values, quotaToCurrency(values.quota ?? 0, display))
      return updateRedemption({ id, ...body, base: baseOf(started, body, seen) })
    },
    onSaved: (response) => {
      redemptionApi.lists.saved(client, response)
      onClose()
    },
    successMessage: t('toast.saved'),
  })
  return (
    <FormSheet saveForm={saveForm} onClose={onClose} title={t('edit.title')} description={name}>
      <Facts code={code} />
      <NameField form={saveForm.form} />
      <QuotaField form={saveForm.form} stored={quota} />
    </FormSheet>
  )
}

function Facts({ code }: { readonly code: WireRedemption }) {
  const { t } = useTranslation('redemptions')
  return (
    <KeyValue
      className="rounded border bg-sunken px-3 py-2.5"
      items={[
        { label: t('field.status'), value: <StatusCell code={code} /> },
        { label: t('field.key'), value: <CodeCell code={code} /> },
        { label: t('field.quota'), value: <Money quota={code.quota} /> },
        {
          label: t('field.created_time'),
          value: <time className="figures">{formatDateTime(code.created_time)}</time>,
        },
        { label: t('field.redeemed_time'), value: <RedeemedCell code={code} /> },
      ]}
    />
  )
}
