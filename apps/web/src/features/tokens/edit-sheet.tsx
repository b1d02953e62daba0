import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyValue } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Sheet } from '../../components/ui/sheet.tsx'
import { ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { tokenLists, tokenQuery, updateToken } from './api.ts'
import { KeyCell } from './cells/key-cell.tsx'
import { LastUsedCell } from './cells/value-cells.tsx'
import { TokenFields } from './form/token-fields.tsx'
import {
  blankForm,
  changesSomething,
  couldWork,
  formOf,
  isChanged,
  type TokenForm,
  updateBodyOf,
} from './form/token-form.ts'
import { useChecked } from './form/use-checked.ts'
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
  const client = useQueryClient()
  const { data: token, error, refetch, isFetching } = useQuery(tokenQuery(client, id))
  // Only what was touched: everything else follows the key as the server knows it, which is spent meanwhile.
  const [changes, setChanges] = useState<Partial<TokenForm>>({})
  const start = token ? formOf(token) : blankForm
  const form = { ...start, ...changes }
  const checked = useChecked(form, start)
  const close = () => void navigate({ to: '/token', search: true })
  const save = useMutation({
    mutationFn: updateToken,
    onSuccess: (answer) => {
      tokenLists.show(client, answer)
      close()
    },
    onError: checked.setRefusal,
    meta: { silent: true, successMessage: t('toast.saved', { name: form.name.trim() }) },
  })

  function submit(stored: Token): void {
    if (!checked.check()) return
    const body = updateBodyOf(stored, form, Date.now() / 1000)
    if (changesSomething(body)) save.mutate(body)
    else close()
  }

  return (
    <Sheet
      open
      onClose={close}
      title={t('edit.title')}
      description={token?.name}
      dirty={token !== undefined && isChanged(form, start)}
      {...(token && { onSubmit: () => submit(token) })}
      submitting={save.isPending}
    >
      {token ? (
        <fieldset ref={checked.container} className="flex flex-col gap-5">
          <StateNotice token={token} form={form} />
          {checked.failure && <Notice tone="bad">{checked.failure.message}</Notice>}
          <Facts token={token} />
          <TokenFields
            token={token}
            form={form}
            onChange={(part) => setChanges({ ...changes, ...part })}
            errors={checked.errors}
          />
        </fieldset>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <FormSkeleton />
      )}
    </Sheet>
  )
}

/** Why the key does not work, and what would make it work again. */
function StateNotice({ token, form }: { readonly token: Token; readonly form: TokenForm }) {
  const { t } = useTranslation('tokens')
  const state = stateOf(token)
  if (state === 'enabled') return null
  if (state === 'disabled') return <Notice tone="info">{t('edit.disabled')}</Notice>
  if (couldWork(form, Date.now() / 1000)) return <Notice tone="good">{t('edit.revives')}</Notice>
  return <Notice tone="warn">{t(`edit.${state}`)}</Notice>
}

function Facts({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  return (
    <KeyValue
      className="rounded border bg-sunken px-3 py-2.5"
      items={[
        { label: t('column.key'), value: <KeyCell token={token} /> },
        { label: t('column.used'), value: <Money quota={token.used_quota} /> },
        { label: t('column.lastUsed'), value: <LastUsedCell token={token} /> },
        {
          label: t('column.created'),
          value: <span className="figures">{formatDateTime(token.created_time)}</span>,
        },
      ]}
    />
  )
}

const skeletonFields = ['name', 'quota', 'expiry', 'group']

function FormSkeleton() {
  return (
    <div className="flex flex-col gap-5" aria-busy>
      <Skeleton className="h-28!" />
      {skeletonFields.map((id) => (
        <div key={id} className="flex flex-col gap-2">
          <Skeleton className="w-24!" />
          <Skeleton className="h-8!" />
        </div>
      ))}
    </div>
  )
}
