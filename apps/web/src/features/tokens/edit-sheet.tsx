import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSheet, FormSheetSkeleton, useSaveForm } from '../../components/form/index.ts'
import { KeyValue } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { tokenApi, updateToken } from './api.ts'
import { KeyCell, LastUsedCell } from './cells.tsx'
import type { TokenFieldProps } from './form/field-props.ts'
import { TokenFields, useCheckToken } from './form/token-fields.tsx'
import {
  changesSomething,
  couldWork,
  fieldOf,
  formOf,
  type TokenForm,
  updateBodyOf,
} from './form/token-form.ts'
import { stateOf } from './token-state.ts'

const route = getRouteApi('/console/token/edit/$id')

/** A stored key: what it has done, and everything that can be changed about it. */
export function EditTokenSheet(): ReactNode {
  const { id } = route.useParams()
  // Another key is another form.
  return <EditSheet key={id} id={Number(id)} />
}

function EditSheet({ id }: { readonly id: number }) {
  const { t } = useTranslation('tokens')
  const navigate = useNavigate()
  const query = useQuery(tokenApi.one(useQueryClient(), id))
  const close = () => void navigate({ to: '/token', search: true })
  if (query.data) return <EditForm token={query.data} onClose={close} />
  return <FormSheetSkeleton query={query} title={t('edit.title')} onClose={close} />
}

interface EditFormProps {
  readonly token: Token
  readonly onClose: () => void
}

function EditForm({ token, onClose }: EditFormProps) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const start = formOf(token)
  const saveForm = useSaveForm<TokenForm, Token>({
    start,
    check: useCheckToken(start),
    fieldOf,
    save: async (form) => {
      const body = updateBodyOf(token, form, Date.now() / 1000)
      return changesSomething(body) ? await updateToken(body) : token
    },
    onSaved: (response) => {
      tokenApi.lists.show(client, response)
      void tokenApi.lists.refresh(client)
      onClose()
    },
    successMessage: t('toast.saved'),
  })
  const { form, dirty, submit } = saveForm
  return (
    <FormSheet
      // Saving what nobody touched is closing.
      saveForm={{ ...saveForm, submit: dirty ? submit : onClose }}
      onClose={onClose}
      title={t('edit.title')}
      description={token.name}
    >
      <StateNotice token={token} form={form} />
      <Facts token={token} />
      <TokenFields token={token} form={form} />
    </FormSheet>
  )
}

/** Why the key does not work, and what would make it work again. */
function StateNotice({ token, form }: TokenFieldProps & { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  const values = form.watch()
  const state = stateOf(token)
  if (state === 'enabled') return null
  if (state === 'disabled') return <Notice tone="info">{t('edit.disabled')}</Notice>
  if (couldWork(values, Date.now() / 1000)) return <Notice tone="good">{t('edit.revives')}</Notice>
  return <Notice tone="warn">{t(`edit.${state}`)}</Notice>
}

function Facts({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  return (
    <KeyValue
      className="rounded border bg-sunken px-3 py-2.5"
      items={[
        { label: t('field.key'), value: <KeyCell token={token} /> },
        { label: t('field.used_quota'), value: <Money quota={token.used_quota} /> },
        { label: t('field.accessed_time'), value: <LastUsedCell token={token} /> },
        {
          label: t('field.created_time'),
          value: <span className="figures">{formatDateTime(token.created_time)}</span>,
        },
      ]}
    />
  )
}
