import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { calls, type User, type UserGroups } from '@tollgate/api'
import { accountRefusedFields, mailRefusedFields } from '@tollgate/api/refused-fields'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  baseOf,
  FormField,
  fieldsByCode,
  SaveFailure,
  type SaveForm,
  useSaveForm,
} from '../../../components/form/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Form } from '../../../components/ui/field/field.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { Tabs } from '../../../components/ui/tabs.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { accountQuery, ownGroupsQuery } from '../../../lib/api/account.ts'
import { request } from '../../../lib/api/api-client.ts'
import { useConfirmLeave } from '../../../lib/session/confirm-leave.ts'
import { toast } from '../../../lib/toast.ts'
import { GroupTag } from '../account-card.tsx'
import type { SettingTab } from '../search.ts'
import { NotificationFields } from './notification-fields.tsx'
import { ratioTone } from './ratio-tone.ts'
import {
  bodyOf,
  formNames,
  formOf,
  problemsOf,
  type SettingFieldsProps,
  type SettingForm,
  storedBodyOf,
} from './setting-form.ts'

const route = getRouteApi('/console/personal')

/** Notifications, accepted prices and privacy. All tabs are one form, which one call saves. */
export function SettingsCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const { tab = 'notification' } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (next: SettingTab) =>
    void navigate({ search: next === 'notification' ? {} : { tab: next }, replace: true, resetScroll: false })
  const saveForm = useSettingForm(user, () => show('notification'))
  const { form, submit, saving, dirty } = saveForm
  useConfirmLeave(dirty)
  return (
    <Card title={t('setting.title')}>
      <Form onSubmit={submit}>
        <Tabs
          aria-label={t('setting.title')}
          value={tab}
          onValueChange={show}
          tabs={[
            {
              value: 'notification',
              label: t('setting.notification'),
              content: <NotificationFields form={form} user={user} />,
            },
            { value: 'price', label: t('setting.price'), content: <PriceFields form={form} /> },
            { value: 'privacy', label: t('privacy.tab'), content: <PrivacyFields form={form} /> },
          ]}
        />
        <SaveFailure saveForm={saveForm} />
        <Button type="submit" variant="primary" className="self-start" loading={saving}>
          {t('setting.save')}
        </Button>
      </Form>
    </Card>
  )
}

/** Edits whether the person accepts unpriced models, and shows the price ratio of each group. */
function PriceFields({ form }: Pick<SettingFieldsProps, 'form'>) {
  const { t } = useTranslation('personal')
  return (
    <div className="flex flex-col gap-4">
      <FormField<SettingForm, boolean> form={form} name="acceptsUnpriced" label={t('price.unpriced')}>
        {({ value, onChange }) => (
          <Checkbox
            checked={value}
            onCheckedChange={onChange}
            label={t('price.acceptUnset')}
            hint={t('price.acceptUnsetHint')}
          />
        )}
      </FormField>
      <QueryBoundary query={useQuery(ownGroupsQuery)}>
        {(groups) => <GroupTable groups={groups} />}
      </QueryBoundary>
    </div>
  )
}

/** Edits whether failed calls are stored, so that they can be replayed. */
function PrivacyFields({ form }: Pick<SettingFieldsProps, 'form'>) {
  const { t } = useTranslation('personal')
  return (
    <FormField<SettingForm, boolean> form={form} name="keepsFailedCalls" label={t('privacy.label')}>
      {({ value, onChange }) => (
        <Checkbox
          checked={value}
          onCheckedChange={onChange}
          label={t('privacy.keep')}
          hint={t('privacy.hint')}
        />
      )}
    </FormField>
  )
}

function GroupTable({ groups }: { readonly groups: UserGroups }) {
  const { t } = useTranslation('personal')
  return (
    <table className="w-full table-fixed text-left text-sm">
      <caption className="pb-1.5 text-left font-medium text-sm">{t('price.groups')}</caption>
      <thead className="border-b text-muted text-xs">
        <tr>
          {(['group', 'description', 'ratio'] as const).map((column) => (
            <th key={column} scope="col" className="py-1.5 font-medium last:w-20 last:text-right">
              {t(`price.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.entries(groups).map(([name, { ratio, desc }]) => (
          <tr key={name} className="border-b last:border-b-0">
            <td className="py-2 pr-3">
              <GroupTag group={name} />
            </td>
            <td className="break-words py-2 pr-3 text-muted">{desc}</td>
            <td className="py-2 text-right">
              <Tag tone={ratioTone(ratio)} className="figures">
                {t('price.times', { ratio })}
              </Tag>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const fieldOf = fieldsByCode({ ...accountRefusedFields, ...mailRefusedFields }, formNames)

/**
 * The form of all tabs.
 * @param showProblems shows the tab with the fields that can have problems
 */
function useSettingForm(user: User, showProblems: () => void): SaveForm<SettingForm> {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const saveForm = useSaveForm<SettingForm, unknown>({
    start: useMemo(() => formOf(user.setting), [user.setting]),
    check: (form) => problemsOf(form, user, t),
    fieldOf,
    nameOf: (field) => formNames[field] ?? field,
    async save(form, { started, seen }) {
      const body = bodyOf(form, user)
      const base = baseOf(storedBodyOf(started, user), body, seen)
      try {
        return await request(calls.accounts.saveNotificationSetting, { body: { ...body, base } })
      } catch (cause) {
        toast.error(t('setting.failed'))
        showProblems()
        throw cause
      }
    },
    successMessage: t('setting.saved'),
    onSaved() {
      // The server never returns stored secrets, so their fields become blank.
      for (const secret of ['webhookUrl', 'webhookSecret', 'verificationCode'] as const)
        saveForm.form.resetField(secret, { defaultValue: '' })
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })

  function submit(): void {
    if (!saveForm.dirty) {
      toast.info(t('setting.unchanged'))
      return
    }
    const problems = Object.values(problemsOf(saveForm.form.getValues(), user, t))
    if (problems.some((problem) => problem !== undefined)) showProblems()
    saveForm.submit()
  }
  return { ...saveForm, submit }
}
