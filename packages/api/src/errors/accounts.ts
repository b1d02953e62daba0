import type { LocalizedTexts } from './localized-texts.ts'

/** Accounts: opening one, signing in, changing one’s own, administering others. */
export const accountRefusals = {
  // Setup, login and accounts.
  setup_already_done: { en: 'The system is already set up', zh: '系统已经初始化完成' },
  setup_required: { en: 'The system is not set up yet, open /setup', zh: '系统尚未初始化，请打开 /setup' },
  setup_code_wrong: {
    en: 'The set-up code is wrong. The server prints it at each start',
    zh: '初始化码不正确。服务器每次启动时都会打印初始化码',
  },
  setup_username_empty: { en: 'Username must not be empty', zh: '请输入管理员用户名' },
  username_invalid: {
    en: 'Username must have 1 to {max} visible characters, without spaces at either end',
    zh: '用户名须为 1 到 {max} 个可见字符，且首尾不能有空格',
  },
  password_short: { en: 'Password must have at least {min} characters', zh: '密码长度至少为{min}个字符' },
  password_too_long: { en: 'Password must have at most {max} characters', zh: '密码最多 {max} 个字符' },
  username_taken: {
    en: 'The username is already taken, possibly by a deleted account',
    zh: '用户名已存在，或已注销',
  },
  username_like_administrator: {
    en: 'This username looks like that of an administrator. Choose another one.',
    zh: '该用户名与管理员的用户名过于相似，请换一个',
  },
  password_mismatch: { en: 'The two passwords entered are inconsistent', zh: '两次输入的密码不一致' },
  login_fields_empty: { en: 'Please enter username and password', zh: '请输入用户名和密码' },
  login_failed: {
    en: 'Wrong username or password, or the user is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  password_login_disabled: {
    en: 'The administrator has turned off password login',
    zh: '管理员关闭了密码登录',
  },

  // One's own account.
  registration_disabled: {
    en: 'The administrator has turned off registration',
    zh: '管理员关闭了新用户注册',
  },
  password_registration_disabled: {
    en: 'The administrator has turned off password registration: use another login method',
    zh: '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
  },
  credentials_missing: {
    en: 'Username and password must not be empty',
    zh: '用户名和密码不能为空',
  },
  username_is_address: {
    en: 'An email address can be a username only if it is your own: choose another',
    zh: '用户名不能是他人的邮箱地址，请更换',
  },
  display_name_invalid: {
    en: 'The display name can have at most {max} characters, all of them visible',
    zh: '显示名称最多 {max} 个字符，且不能包含不可见字符',
  },
  email_and_code_required: {
    en: 'Please enter your email address and the code sent to it',
    zh: '管理员开启了邮箱验证，请输入邮箱地址和验证码',
  },
  access_token_name_invalid: {
    en: 'A token needs a name of 1 to {max} characters',
    zh: '请输入令牌名称，最多 {max} 个字符',
  },
  access_token_expiry_past: {
    en: 'The expiry is in the past: choose a time in the future, or never',
    zh: '过期时间已过：请选择将来的时间，或选择永不过期',
  },
  access_tokens_too_many: {
    en: 'You have {max} access tokens, the most that are possible: remove one first',
    zh: '您已有 {max} 个访问令牌，达到上限，请先删除一个',
  },
  password_wrong: { en: 'The password is wrong', zh: '密码错误' },
  original_password_wrong: {
    en: 'The current password is missing or wrong',
    zh: '原密码为空或错误',
  },
  chat_host_invalid: { en: 'host: not the host of a chat link', zh: 'host：不是聊天链接的主机' },
  chat_hosts_too_many: { en: 'You can confirm at most {max} hosts', zh: '最多可确认 {max} 个主机' },
  root_undeletable: {
    en: 'The account of the root administrator cannot be deleted',
    zh: '不能删除超级管理员账户',
  },
  transfer_below_minimum: {
    en: 'The minimum transfer amount is {minimum}',
    zh: '划转失败，转移额度最小为 {minimum}',
  },
  transfer_exceeds_earnings: {
    en: 'The amount exceeds your invitation earnings',
    zh: '划转失败，邀请额度不足！',
  },
  notify_type_invalid: { en: 'The notification type must be email or webhook', zh: '无效的预警类型' },
  quota_warning_threshold_invalid: {
    en: 'The low balance warning must be greater than 0',
    zh: '预警阈值必须大于0',
  },
  webhook_url_missing: { en: 'Please enter the webhook URL', zh: 'Webhook地址不能为空' },
  webhook_url_invalid: {
    en: 'The webhook URL must be an https address without a username',
    zh: '无效的Webhook地址，必须是 https 地址',
  },
  webhook_secret_too_long: {
    en: 'The webhook secret must have at most {max} characters',
    zh: 'Webhook 密钥最多 {max} 个字符',
  },
  notification_email_unproven: {
    en: 'The notification address is not the one of your account: request a code for it and enter the code',
    zh: '通知邮箱不是您账户的邮箱，请先获取并填写该邮箱的验证码',
  },

  // Sign-in through others, second factors, passkeys.
  oauth_state_invalid: {
    en: 'state is empty or not same: start the login again in this browser',
    zh: 'state is empty or not same，请在此浏览器中重新登录',
  },
  provider_disabled: {
    en: 'The administrator has not enabled login via {provider}',
    zh: '管理员未开启通过 {provider} 登录以及注册',
  },
  provider_misconfigured: {
    en: 'Login via {provider} is not fully configured, contact the administrator',
    zh: '{provider} 登录配置不完整，请联系管理员',
  },
  provider_unreachable: {
    en: '{provider} is unreachable, try again later',
    zh: '无法连接至 {provider} 服务器，请稍后重试',
  },
  provider_refused: {
    en: '{provider} did not confirm the login: {detail}',
    zh: '{provider} 未确认此次登录：{detail}',
  },
  user_deleted: { en: 'This user has been deleted', zh: '用户已注销' },
  new_users_closed: { en: 'The administrator has turned off registration', zh: '管理员关闭了新用户注册' },
  email_not_admitted: {
    en: 'New users need a verified email address of an allowed domain; {provider} provided none',
    zh: '新用户需要属于允许域名的已验证邮箱，{provider} 未提供',
  },
  identity_taken: {
    en: 'This {provider} account is already bound to a user',
    zh: '该 {provider} 账户已被绑定',
  },
  identity_not_bound: {
    en: 'This {provider} account is not the one bound to your account',
    zh: '该 {provider} 账户不是您已绑定的账户',
  },
  email_taken: { en: 'This email address already belongs to a user', zh: '邮箱地址已被占用' },
  wechat_code_invalid: { en: 'The code is wrong or has expired', zh: '验证码错误或已过期' },
  telegram_invalid: { en: 'Invalid request: not signed by Telegram, or too old', zh: '无效的请求' },
  telegram_unbound: { en: 'This Telegram account is not bound to a user', zh: '该 Telegram 账户未绑定' },
  not_bound: { en: '{provider} is not bound to your account', zh: '您的账户未绑定 {provider}' },
  last_way_to_sign_in: {
    en: 'This is your last login method: set a password or bind another method first',
    zh: '这是您唯一的登录方式，请先设置密码或绑定其他登录方式',
  },
  second_factor_wrong: { en: 'The code is wrong or already used', zh: '验证码错误或已被使用' },
  second_factor_blocked: {
    en: 'Too many wrong codes, try again in {minutes} minutes',
    zh: '验证码错误次数过多，请在 {minutes} 分钟后重试',
  },
  second_factor_on: { en: 'Two-factor authentication is already on', zh: '两步验证已启用' },
  second_factor_off: { en: 'Two-factor authentication is off', zh: '两步验证未启用' },
  second_factor_not_begun: {
    en: 'Start setting up two-factor authentication again',
    zh: '请重新开始设置两步验证',
  },
  credentials_changed: {
    en: 'The ways to open this account have just changed: try again',
    zh: '该账户的登录凭据刚刚发生变化，请重试',
  },
  login_expired: { en: 'The login took too long, start again', zh: '登录已超时，请重新登录' },
  passkey_invalid: { en: 'The passkey was not accepted', zh: '通行密钥验证失败' },
  passkey_too_many: {
    en: 'You have {max} passkeys, the maximum: delete one first',
    zh: '通行密钥最多 {max} 个，请先删除',
  },
  passkey_name_invalid: {
    en: 'The name of a passkey must have 1 to {max} characters',
    zh: '通行密钥名称须为 1 到 {max} 个字符',
  },

  // What administrators may not do with users.
  user_unknown: { en: 'User not found', zh: '用户不存在' },
  user_not_readable: {
    en: 'You cannot view users of your own or a higher rank',
    zh: '无权获取同级或更高等级用户的信息',
  },
  user_rank_too_high: {
    en: 'You cannot change users of your own or a higher rank',
    zh: '无权更新同权限等级或更高权限等级的用户信息',
  },
  user_is_root: {
    en: 'The root administrator cannot be disabled, demoted or deleted',
    zh: '无法禁用、降级或删除超级管理员用户',
  },
  user_promote_needs_root: {
    en: 'Only the root administrator can promote users to administrator',
    zh: '普通管理员用户无法提升其他用户为管理员',
  },
  user_already_admin: { en: 'The user is already an administrator', zh: '该用户已经是管理员' },
  user_already_common: { en: 'The user is already a common user', zh: '该用户已经是普通用户' },
  user_changed_meanwhile: {
    en: 'Someone else has just changed this user: load it again',
    zh: '该用户刚刚被其他人修改，请刷新后重试',
  },
  invitation_invalid: {
    en: 'This invitation is no longer valid: ask for a new link',
    zh: '邀请已失效，请索取新的链接',
  },
  invitations_too_many: {
    en: 'You have {max} open invitations: revoke some first',
    zh: '您已有 {max} 个未使用的邀请，请先撤销部分邀请',
  },
  many_users_changed: {
    en: 'This would now change others than the preview showed: look at it again',
    zh: '受影响的用户与预览时不同，请重新预览',
  },
  many_users_none: { en: 'This changes nobody', zh: '没有用户会被修改' },
  many_users_too_many: {
    en: '{count} users match: choose at most {max} at a time',
    zh: '有 {count} 个用户匹配，每次最多选择 {max} 个',
  },
  user_group_unknown: {
    en: 'group: {group} does not exist, add it to the group ratios first',
    zh: 'group：分组 {group} 不存在，请先在分组倍率中添加',
  },
  user_field_fixed: {
    en: 'This call does not change {field}: only the owner of an account binds addresses and providers, in the personal settings; rank and status have actions of their own',
    zh: '此接口不能修改 {field}：邮箱和第三方账户只能由账户本人在个人设置中绑定，角色和状态请使用对应的操作',
  },
  user_not_deleted: { en: '{name} is not deleted', zh: '{name} 未被删除' },
  user_not_deleted_yet: {
    en: 'Account {id} is not deleted, or erased already: delete it first',
    zh: '账户 {id} 未被删除或已被清除，请先删除该账户',
  },
  user_erased: {
    en: 'This account was erased: nothing of it is left to bring back',
    zh: '该账户的个人数据已被清除，无法恢复',
  },
  user_merged: {
    en: 'This account was merged into account {id}, which has its keys and its balance',
    zh: '该账户已并入账户 {id}，其令牌和余额均在该账户中',
  },
  user_merge_impossible: {
    en: 'Choose two different accounts that are not deleted; the root administrator is not merged into another account',
    zh: '请选择两个不同且未被删除的账户，超级管理员不能并入其他账户',
  },
  user_merge_busy: {
    en: 'Calls of this account are still being charged: try again in a moment',
    zh: '该账户仍有调用正在计费，请稍后重试',
  },
  user_not_administrator: {
    en: 'Only an administrator who is not banned can have this: promote the user first',
    zh: '仅限未被封禁的管理员，请先将该用户提升为管理员',
  },
  user_near_administrator: {
    en: 'You cannot give quota, another group or an invitation to accounts of your own invitation chain, or with your own mail inbox: ask the root administrator',
    zh: '不能为自己邀请链上的账户或与自己共用邮箱的账户增加额度、更换分组或发送邀请，请联系超级管理员',
  },
  balance_out_of_range: {
    en: '{field}: a balance must stay between -{max} and {max}. It is {balance}, so {amount} cannot be added: add at most {room}.',
    zh: '{field}：余额必须在 -{max} 到 {max} 之间。当前余额为 {balance}，无法增加 {amount}，最多可增加 {room}。',
  },
  user_balance_out_of_range: {
    en: 'quota: the balance must stay between -{max} and {max}',
    zh: 'quota：余额必须在 -{max} 到 {max} 之间',
  },
} as const satisfies LocalizedTexts
