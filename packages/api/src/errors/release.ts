import type { LocalizedTexts } from './localized-texts.ts'

/** The look for a newer release. */
export const releaseRefusals = {
  release_check_off: {
    en: 'There is no address to look for releases at: set ReleaseCheckUrl',
    zh: '未配置版本检查地址，请设置 ReleaseCheckUrl',
  },
  release_check_failed: {
    en: 'Failed to check for updates, try again later',
    zh: '检查更新失败，请稍后再试',
  },
} as const satisfies LocalizedTexts
