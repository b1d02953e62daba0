import { useTranslation } from 'react-i18next'
import { useActiveHotkeys } from '../../lib/browser/hotkeys.ts'
import { KeyCaps } from '../ui/kbd.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

const groups = ['page', 'go', 'everywhere'] as const

/** Every key that works on this page. */
export function HotkeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const hotkeys = useActiveHotkeys()
  const fixed = [
    { keys: 'mod+Enter', label: t('keys.saveSheet'), group: 'everywhere' },
    { keys: 'Esc', label: t('keys.close'), group: 'everywhere' },
  ] as const
  return (
    <Dialog open onClose={onClose} title={t('keys.title')}>
      <div className="flex flex-col gap-5">
        {groups.map((group) => {
          const listed = [...hotkeys, ...fixed].filter((hotkey) => hotkey.group === group)
          if (listed.length === 0) return null
          return (
            <section key={group}>
              <h3 className="mb-1.5 font-medium text-muted text-xs">{t(`keys.group.${group}`)}</h3>
              <ul className="flex flex-col gap-1.5">
                {listed.map((hotkey) => (
                  <li key={hotkey.keys} className="flex items-center justify-between gap-4">
                    <span>{hotkey.label}</span>
                    <KeyCaps keys={hotkey.keys} />
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
    </Dialog>
  )
}
