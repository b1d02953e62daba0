import { getRouteApi } from '@tanstack/react-router'
import type { User } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { Tabs } from '../../../components/ui/tabs.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import type { SettingTab } from '../search.ts'
import { NotificationFields } from './notification-fields.tsx'
import { PriceFields } from './price-fields.tsx'
import { useLeaveQuestion } from './use-leave-question.ts'
import { useSettingForm } from './use-setting-form.ts'

const route = getRouteApi('/console/personal')

/** When to be warned and where, and which prices to accept. Both tabs are one form, saved by one call. */
export function SettingsCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const { tab = 'notification' } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (next: SettingTab) =>
    void navigate({ search: next === 'notification' ? {} : { tab: next }, replace: true, resetScroll: false })
  const { form, submit, saving, dirty, failure } = useSettingForm(user, () => show('notification'))
  useLeaveQuestion(dirty)
  return (
    <Card title={t('setting.title')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
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
          ]}
        />
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <Button type="submit" variant="primary" className="self-start" loading={saving}>
          {t('setting.save')}
        </Button>
      </form>
    </Card>
  )
}
