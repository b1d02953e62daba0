import { useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, invitationDefaultDays, invitationMaxDays, roles } from '@tollgate/api'
import { type ReactNode, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormField, FormSheet, TextField, useSaveForm } from '../../../components/form/index.ts'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { NumberInput } from '../../../components/ui/field/input.tsx'
import { QuotaInput } from '../../../components/ui/field/quota-input.tsx'
import { Sheet } from '../../../components/ui/overlay/sheet.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { request } from '../../../lib/api/api-client.ts'
import { formatDateTime } from '../../../lib/format/format.ts'
import { hasPart, isRoot, useUser } from '../../../lib/session/session.ts'
import { OpenInvitations } from './open-invitations.tsx'

interface InviteForm {
  readonly role: string
  readonly group: string
  readonly quota: number | undefined
  readonly days: number | undefined
  readonly note: string
  readonly email: string
}

const blank: InviteForm = {
  role: 'common',
  group: 'default',
  quota: 0,
  days: invitationDefaultDays,
  note: '',
  email: '',
}

interface Created {
  readonly token: string
  readonly expires_at: number
  readonly mailed: boolean
}

/** Invites a colleague by a link with a role, and lists the links that nobody has taken yet. */
export function InviteSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [created, setCreated] = useState<Created>()
  if (created) return <CreatedSheet created={created} onClose={onClose} />
  return <InviteFields onClose={onClose} onCreated={setCreated} />
}

interface InviteFieldsProps {
  readonly onClose: () => void
  readonly onCreated: (created: Created) => void
}

function InviteFields({ onClose, onCreated }: InviteFieldsProps) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const saveForm = useSaveForm<InviteForm, Created>({
    start: blank,
    check: ({ days = 0 }) => ({
      ...(!(days >= 1 && days <= invitationMaxDays) && {
        days: t('invite.daysProblem', { max: invitationMaxDays }),
      }),
    }),
    save: ({ role, quota = 0, days = invitationDefaultDays, ...fields }) =>
      request(calls.invitations.create, {
        body: { ...fields, quota, days, role: role === 'admin' ? roles.admin : roles.common },
      }),
    onSaved(created) {
      void client.invalidateQueries({ queryKey: ['invitations'] })
      onCreated(created)
    },
  })
  return (
    <FormSheet
      saveForm={saveForm}
      onClose={onClose}
      title={t('invite.title')}
      description={t('invite.description')}
      submitLabel={t('invite.submit')}
    >
      <OfferFields form={saveForm.form} />
      <TextField
        form={saveForm.form}
        name="note"
        label={t('invite.note')}
        hint={t('invite.noteHint')}
        input={{ maxLength: 100 }}
      />
      <TextField
        form={saveForm.form}
        name="email"
        label={t('invite.email')}
        hint={t('invite.emailHint')}
        input={{ type: 'email', inputMode: 'email' }}
      />
      <OpenInvitations />
    </FormSheet>
  )
}

function OfferFields({ form }: { readonly form: UseFormReturn<InviteForm> }) {
  const { t } = useTranslation('users')
  const user = useUser()
  const { data: groups = [] } = useQuery(groupsQuery)
  return (
    <>
      {isRoot(user) && (
        <FormField<InviteForm, string> form={form} name="role" label={t('column.role')}>
          {({ value, onChange }) => (
            <Select
              value={value}
              onValueChange={onChange}
              options={(['common', 'admin'] as const).map((role) => ({
                value: role,
                label: t(`role.${role}`),
              }))}
            />
          )}
        </FormField>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField<InviteForm, string> form={form} name="group" label={t('column.group')}>
          {({ value, onChange }) => (
            <Select
              value={value}
              onValueChange={onChange}
              options={groups.map((group) => ({ value: group, label: group }))}
            />
          )}
        </FormField>
        <FormField<InviteForm, number | undefined> form={form} name="days" label={t('invite.days')}>
          {({ value, onChange, onBlur }) => (
            <NumberInput value={value} min={1} onValueChange={onChange} onBlur={onBlur} />
          )}
        </FormField>
      </div>
      {hasPart(user, 'money') && (
        <FormField<InviteForm, number | undefined>
          form={form}
          name="quota"
          label={t('invite.quota')}
          hint={t('invite.quotaHint')}
        >
          {({ value, onChange, onBlur }) => (
            <QuotaInput value={value} onValueChange={onChange} onBlur={onBlur} />
          )}
        </FormField>
      )}
    </>
  )
}

function CreatedSheet({ created, onClose }: { readonly created: Created; readonly onClose: () => void }) {
  const { t } = useTranslation('users')
  const link = `${window.location.origin}/invitation?token=${created.token}`
  return (
    <Sheet open title={t('invite.created')} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="good">
          {t(created.mailed ? 'invite.mailed' : 'invite.copyNow')}{' '}
          {t('invite.until', { time: formatDateTime(created.expires_at) })}
        </Notice>
        <p className="wrap-anywhere rounded border bg-sunken px-3 py-2 font-mono text-xs">{link}</p>
        <CopyButton withText size="md" value={link} label={t('invite.copy')} />
        <OpenInvitations />
      </div>
    </Sheet>
  )
}
