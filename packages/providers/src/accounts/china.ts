import type { JsonObject } from '@tollgate/formats'
import { type AccountRefusals, openAiBody, refused } from './account-refusal.ts'

/** Vendors and hosts in China. */

const zhipuCodes = 'https://docs.bigmodel.cn/cn/api/api-code'
const zhipuBody = (code: string, message: string): JsonObject => ({ error: { code, message } })
const zhipu: AccountRefusals = {
  outOfCredit: refused(429, zhipuBody('1113', '您的账户已欠费,请充值后重试'), zhipuCodes),
  suspended: refused(429, zhipuBody('1112', '您的账户已被锁定,请联系客服解锁'), zhipuCodes),
  keyRefused: refused(401, zhipuBody('1002', 'Authentication Token 非法'), zhipuCodes),
}

const arkCodes = 'https://www.volcengine.com/docs/82379/1299023'
const ark: AccountRefusals = {
  outOfCredit: refused(
    403,
    {
      error: {
        code: 'AccountOverdueError',
        message: 'The request failed because your account has an overdue balance.',
        type: 'Forbidden',
      },
    },
    arkCodes,
  ),
  suspended: 'unknown',
  keyRefused: refused(
    401,
    {
      error: {
        code: 'AuthenticationError',
        message: 'The API key in the request is missing or invalid.',
        type: 'Unauthorized',
      },
    },
    arkCodes,
  ),
}

const tencentBody = (Code: string, Message: string): JsonObject => ({
  Response: { RequestId: 'r', Error: { Code, Message } },
})
const tencentCodes = 'https://cloud.tencent.com/document/product/1729/101848'
const aliCodes = 'https://help.aliyun.com/zh/model-studio/error-code'
const baiduCodes = 'https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh'
const klingCodes = 'https://app.klingai.com/global/dev/document-api/apiReference/commonInfo'

export const chineseAccounts: Readonly<Record<string, AccountRefusals>> = {
  zhipu,
  'zhipu-v3': zhipu,
  volcengine: ark,
  'doubao-video': ark,
  ali: {
    outOfCredit: refused(
      400,
      openAiBody(
        'Access denied, please make sure your account is in good standing.',
        'Arrearage',
        'Arrearage',
      ),
      aliCodes,
    ),
    suspended: 'unknown',
    keyRefused: refused(401, openAiBody('Incorrect API key provided.', 'invalid_api_key'), aliCodes),
  },
  moonshot: {
    outOfCredit: refused(
      429,
      {
        error: {
          message:
            'Your account org-x <ak-x> is suspended due to insufficient balance, please recharge your account',
          type: 'exceeded_current_quota_error',
        },
      },
      'https://github.com/continuedev/continue/issues/11443',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { error: { message: 'Invalid Authentication', type: 'invalid_authentication_error' } },
      'https://platform.moonshot.ai/docs/api/chat',
    ),
  },
  siliconflow: {
    outOfCredit: refused(
      403,
      { code: 30001, message: 'Sorry, your account balance is insufficient', data: null },
      'https://docs.siliconflow.cn/en/faqs/error-code',
    ),
    suspended: 'unknown',
    keyRefused: refused(401, '"Invalid token"', 'https://docs.siliconflow.cn/en/faqs/error-code'),
  },
  minimax: {
    outOfCredit: refused(
      200,
      { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
      'https://platform.minimax.io/docs/api-reference/errorcode',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      200,
      { base_resp: { status_code: 2049, status_msg: 'invalid api key' } },
      'https://platform.minimax.io/docs/api-reference/errorcode',
    ),
  },
  tencent: {
    outOfCredit: refused(200, tencentBody('ResourceUnavailable.InArrears', '账号欠费。'), tencentCodes),
    suspended: 'unknown',
    keyRefused: refused(
      200,
      tencentBody('AuthFailure.SecretIdNotFound', 'The SecretId is not found'),
      tencentCodes,
    ),
  },
  baidu: {
    outOfCredit: refused(
      200,
      { error_code: 17, error_msg: 'Open api daily request limit reached' },
      baiduCodes,
    ),
    suspended: 'unknown',
    keyRefused: refused(
      200,
      { error_code: 110, error_msg: 'Access token invalid or no longer valid' },
      baiduCodes,
    ),
  },
  qianfan: {
    outOfCredit: refused(
      403,
      openAiBody('Your account is overdue', 'account_overdue', 'access_denied'),
      'https://cloud.baidu.com/doc/qianfan-api/s/Wm9l9bwhr',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      openAiBody('Invalid IAM token', 'invalid_iam_token', 'invalid_request_error'),
      'https://cloud.baidu.com/doc/qianfan-api/s/Wm9l9bwhr',
    ),
  },
  xunfei: {
    outOfCredit: refused(
      200,
      { header: { code: 11200, message: 'AppIdNoAuthError', sid: 's', status: 2 } },
      'https://www.xfyun.cn/doc/spark/Web.html',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { message: 'HMAC signature cannot be verified: fail to retrieve credential' },
      'https://www.xfyun.cn/doc/spark/general_url_authentication.html',
    ),
  },
  kling: {
    outOfCredit: refused(
      429,
      { code: 1102, message: 'Account balance not enough', request_id: 'r' },
      klingCodes,
    ),
    suspended: 'unknown',
    keyRefused: refused(401, { code: 1002, message: 'access key not found', request_id: 'r' }, klingCodes),
  },
  vidu: {
    outOfCredit: refused(
      400,
      { code: 400, reason: 'CreditInsufficient', message: 'credit is insufficient', metadata: {} },
      'https://platform.vidu.com/docs',
    ),
    suspended: 'unknown',
    keyRefused: 'unknown',
  },
  jimeng: {
    outOfCredit: 'unknown',
    suspended: 'unknown',
    keyRefused: refused(
      401,
      {
        ResponseMetadata: { Error: { Code: 'InvalidAccessKey', Message: 'The access key does not exist.' } },
      },
      'https://www.volcengine.com/docs/6369/68677',
    ),
  },
}
