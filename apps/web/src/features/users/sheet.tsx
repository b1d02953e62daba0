import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { calls, type ListedUser } from '@tollgate/api'
import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import {
  baseOf,
  FormSheet,
  PlainFields,
  RateLimitFields,
  RecordSheet,
  useSaveForm,
} from '../../components/form/index.ts'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { hasPart, storeUser, useUser } from '../../lib/session/session.ts'
import { Merge } from './access/merge.tsx'
import { Parts } from './access/parts.tsx'
import { userLists, userQuery } from './api.ts'
import { GroupField } from './form/group-field.tsx'
import { IdentityFields } from './form/identity-fields.tsx'
import {
  blankForm,
  createProblems,
  fieldOfRefusal,
  formOf,
  plainBodyOf,
  plainFields,
  type UserForm,
  updateBodyOf,
  updateProblems,
} from './form/rules.ts'
import { Activity } from './money/activity.tsx'
import { Balance } from './money/balance.tsx'
import { Bindings, UserFacts } from './user-facts.tsx'
import { mayEdit } from './user-state.ts'

const route = getRouteApi('/console/user/edit/$id')

/** Creates an account for someone else. */
export function CreateUserSheet(): ReactNode {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/user', search: true })
  const saveForm = useSaveForm({
    start: blankForm,
    check: (form) => createProblems(form, t),
    save: (form: UserForm) =>
      request(calls.userAdmin.create, {
        body: {
          username: form.username.trim(),
          display_name: form.displayName.trim(),
          password: form.password,
          ...plainBodyOf(form),
        },
      }),
    fieldOf: fieldOfRefusal,
    successMessage: t('create.done'),
    onSaved: () => {
      close()
      void userLists.refresh(client)
    },
  })
  return (
    <FormSheet
      saveForm={saveForm}
      onClose={close}
      title={t('create.title')}
      description={t('create.description')}
      submitLabel={t('create.title')}
    >
      <IdentityFields form={saveForm.form} isNew passwordHint={t('field.passwordHint')} />
      <PlainUserFields form={saveForm.form} />
    </FormSheet>
  )
}

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
  const query = useQuery(userQuery(client, id))
  const close = () => void navigate({ to: '/user', search: true })
  return (
    <RecordSheet query={query} title={t('edit.title')} onClose={close}>
      {(user) =>
        mayEdit(actor, user) ? (
          <EditForm user={user} onClose={close} />
        ) : (
          <Sheet open onClose={close} title={t('edit.title')} description={user.username}>
            <div className="flex flex-col gap-5">
              <Notice tone="info">{t(user.DeletedAt === null ? 'edit.notYours' : 'edit.deleted')}</Notice>
              <Balance user={user} mayAdd={false} />
              <UserFacts user={user} />
              <Bindings user={user} />
            </div>
          </Sheet>
        )
      }
    </RecordSheet>
  )
}

function PlainUserFields({ form }: { readonly form: UseFormReturn<UserForm> }) {
  const { t } = useTranslation('fields')
  return <PlainFields form={form} fields={plainFields} section="plain" label={(name) => t(name as 'name')} />
}

function EditForm({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const actor = useUser()
  const isSelf = actor?.id === user.id
  const saveForm = useSaveForm({
    start: formOf(user),
    check: (form) => updateProblems(form, t),
    save(form, { started, seen }) {
      const body = updateBodyOf(user, form)
      const before = { ...started, display_name: started.displayName, password: undefined }
      return request(calls.userAdmin.update, { body: { ...body, base: baseOf(before, body, seen) } })
    },
    nameOf: (field) => (field === 'display_name' ? 'displayName' : field),
    fieldOf: fieldOfRefusal,
    successMessage: t('edit.done', { name: user.username }),
    onSaved: (response) => {
      if (isSelf) storeUser(response)
      userLists.saved(client, response)
      onClose()
    },
  })
  const { form } = saveForm
  return (
    <FormSheet
      saveForm={saveForm}
      closesUntouched
      onClose={onClose}
      title={t('edit.title')}
      description={user.username}
    >
      {user.near_caller && <Notice tone="info">{t('edit.near')}</Notice>}
      <Balance user={user} mayAdd={!isSelf && !user.near_caller && hasPart(actor, 'money')} />
      <Activity user={user} />
      <UserFacts user={user} />
      <IdentityFields
        form={form}
        isNew={false}
        passwordHint={t(isSelf ? 'field.ownPasswordHint' : 'field.newPasswordHint')}
      />
      {!isSelf && (
        <>
          <GroupField form={form} disabled={user.near_caller === true} />
          <RateLimitFields form={form} />
          <PlainUserFields form={form} />
        </>
      )}
      <Parts key={user.admin_parts?.join()} user={user} />
      <Bindings user={user} />
      {!isSelf && <Merge user={user} />}
    </FormSheet>
  )
}
