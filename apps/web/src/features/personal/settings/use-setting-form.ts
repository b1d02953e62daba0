import { useQueryClient } from '@tanstack/react-query'
import { calls, type User } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type SaveForm, useSaveForm } from '../../../components/form/index.ts'
import { request } from '../../../lib/api-client.ts'
import { toast } from '../../../lib/toast.ts'
import { accountQuery } from '../api.ts'
import { bodyOf, formOf, problemsOf, type SettingForm } from './setting-form.ts'

const fieldOf = {
  quota_warning_threshold_invalid: 'threshold',
  webhook_url_missing: 'webhookUrl',
  webhook_url_invalid: 'webhookUrl',
  webhook_secret_too_long: 'webhookSecret',
  email_invalid: 'notificationEmail',
  notification_email_unproven: 'notificationEmail',
  verification_code_wrong: 'verificationCode',
} as const satisfies Record<string, keyof SettingForm>

/**
 * The form of both tabs.
 * @param showProblems brings the tab to the front whose fields can be wrong
 */
export function useSettingForm(user: User, showProblems: () => void): SaveForm<SettingForm> {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const saveForm = useSaveForm<SettingForm, unknown>({
    start: useMemo(() => formOf(user.setting), [user.setting]),
    check: (form) => problemsOf(form, user, t),
    fieldOf,
    async save(form) {
      try {
        return await request(calls.accounts.saveNotificationSetting, { body: bodyOf(form, user) })
      } catch (cause) {
        toast.error(t('setting.failed'))
        showProblems()
        throw cause
      }
    },
    successMessage: t('setting.saved'),
    onSaved() {
      // They are stored now, and what is stored is never shown.
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
