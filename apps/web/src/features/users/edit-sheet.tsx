import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { calls, type ListedUser } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSheet, RateLimitFields, useSaveForm } from '../../components/form/index.ts'
import { Sheet } from '../../components/ui/sheet.tsx'
import { ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api-client.ts'
import { storeUser, useUser } from '../../lib/session.ts'
import { userLists, userQuery } from './api.ts'
import { GroupField } from './form/group-field.tsx'
import { IdentityFields } from './form/identity-fields.tsx'
import { QuotaField } from './form/quota-field.tsx'
import { fieldOfRefusal, formOf, updateBodyOf, updateProblems } from './form/rules.ts'
import { Bindings, UserFacts } from './user-facts.tsx'
import { mayEdit } from './user-state.ts'

const route = getRouteApi('/console/user/edit/$id')

/** One user: what they did, and everything that can be changed about them. */
export function EditUserSheet(): ReactNode {
  const { id } = route.useParams()
  // Another user is another form.
  return <EditSheet key={id} id={Number(id)} />
}

function EditSheet({ id }: { readonly id: number }) {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const client = useQueryClient()
  const actor = useUser()
  const { data: user, error, refetch, isFetching } = useQuery(userQuery(client, id))
  const close = () => void navigate({ to: '/user', search: true })
  if (user && mayEdit(actor, user)) return <UserForm user={user} onClose={close} />
  return (
    <Sheet open onClose={close} title={t('edit.title')} description={user?.username}>
      {user ? (
        <div className="flex flex-col gap-5">
          <Notice tone="info">{t(user.DeletedAt === null ? 'edit.notYours' : 'edit.deleted')}</Notice>
          <UserFacts user={user} />
          <Bindings user={user} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <FormSkeleton />
      )}
    </Sheet>
  )
}

function UserForm({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const isSelf = useUser()?.id === user.id
  const saveForm = useSaveForm({
    start: formOf(user),
    check: (form) => updateProblems(form, t),
    save: (form) => request(calls.userAdmin.update, { body: updateBodyOf(user, form) }),
    fieldOf: fieldOfRefusal,
    successMessage: t('edit.done', { name: user.username }),
    onSaved: (response) => {
      if (isSelf) storeUser(response)
      userLists.show(client, response)
      onClose()
      void userLists.refresh(client)
    },
  })
  const { form, dirty, submit } = saveForm
  return (
    <FormSheet
      // Saving what nobody touched is closing.
      saveForm={{ ...saveForm, submit: dirty ? submit : onClose }}
      onClose={onClose}
      title={t('edit.title')}
      description={user.username}
    >
      <UserFacts user={user} />
      <IdentityFields
        form={form}
        isNew={false}
        passwordHint={t(isSelf ? 'field.ownPasswordHint' : 'field.newPasswordHint')}
      />
      {!isSelf && (
        <>
          <GroupField form={form} />
          <QuotaField form={form} balance={user.quota} />
          <RateLimitFields form={form} />
        </>
      )}
      <Bindings user={user} />
    </FormSheet>
  )
}

const skeletonFields = ['username', 'name', 'password', 'group', 'quota']

function FormSkeleton() {
  return (
    <div className="flex flex-col gap-5" aria-busy>
      <Skeleton className="h-24!" />
      {skeletonFields.map((id) => (
        <div key={id} className="flex flex-col gap-2">
          <Skeleton className="w-24!" />
          <Skeleton className="h-8!" />
        </div>
      ))}
    </div>
  )
}
