import type { PublicStatus } from '@tollgate/api'
import { defaults, type SettingValues } from '@tollgate/api/settings'
import type { Seconds } from '../store/units.ts'
import { needsVerifiedAddress } from './requirements.ts'

export interface InstallationFacts {
  readonly version: string
  readonly startedAt: Seconds
  readonly setUp: boolean
}

/**
 * The public facts of the installation, for browsers before a sign-in. Fields are listed one by one, so that none is
 * public by accident.
 */
export function publicStatus(values: SettingValues, facts: InstallationFacts): PublicStatus {
  return { ...aboutInstallation(values, facts), ...aboutMoney(values), ...aboutSignIn(values) }
}

function aboutInstallation(values: SettingValues, { version, startedAt, setUp }: InstallationFacts) {
  return {
    version,
    start_time: startedAt,
    setup: setUp,
    system_name: values.SystemName || defaults.SystemName,
    logo: values.Logo,
    footer_html: values.Footer,
    has_notice: values.Notice !== '',
    docs_link: values['general_setting.docs_link'],
    // Empty until set: a console then uses the address it was loaded from.
    server_address: values.ServerAddress,
    self_use_mode_enabled: values.SelfUseModeEnabled,
    demo_site_enabled: values.DemoSiteEnabled,
    default_collapse_sidebar: values.DefaultCollapseSidebar,
    enable_drawing: values.DrawingEnabled,
    enable_task: values.TaskEnabled,
    enable_data_export: values.DataExportEnabled,
    enable_status_page: values.StatusPageEnabled,
    enable_batch_update: true,
    data_export_default_time: values.DataExportDefaultTime,
    mj_notify_enabled: values.MjNotifyEnabled,
    chats: values.Chats.map((link) => ({ ...link })),
    chat_trusted_hosts: [...values.ChatTrustedHosts],
    // The one link of older installations; `chats` replaces it.
    chat_link: '',
  }
}

function aboutMoney(values: SettingValues) {
  return {
    quota_per_unit: values.QuotaPerUnit,
    display_in_currency: values.DisplayInCurrencyEnabled,
    price: values.Price,
    min_topup: values.MinTopUp,
    top_up_link: values.TopUpLink,
    enable_online_topup: [values.PayAddress, values.EpayId, values.EpayKey].every((value) => value !== ''),
  }
}

function aboutSignIn(values: SettingValues) {
  return {
    password_login: values.PasswordLoginEnabled,
    // The form registers with a password: it needs both switches.
    register_enabled: values.RegisterEnabled && values.PasswordRegisterEnabled,
    email_verification: needsVerifiedAddress(values),
    turnstile_check: values.TurnstileCheckEnabled,
    turnstile_site_key: values.TurnstileSiteKey,
    github_oauth: values.GitHubOAuthEnabled,
    github_client_id: values.GitHubClientId,
    linuxdo_oauth: values.LinuxDOOAuthEnabled,
    linuxdo_client_id: values.LinuxDOClientId,
    oidc_enabled: values['oidc.enabled'],
    oidc_client_id: values['oidc.client_id'],
    oidc_authorization_endpoint: values['oidc.authorization_endpoint'],
    wechat_login: values.WeChatAuthEnabled,
    wechat_qrcode: values.WeChatAccountQRCodeImageURL,
    telegram_oauth: values.TelegramOAuthEnabled,
    telegram_bot_name: values.TelegramBotName,
  }
}
