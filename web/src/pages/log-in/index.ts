import './log-in.css';
import { ForgotPasswordPage } from './forgot-password';
import { LogInPage } from './log-in';
import { RegisterPage } from './register';
import { ResetPasswordPage } from './reset-password';

export const pages = {
  logIn: LogInPage,
  register: RegisterPage,
  forgotPassword: ForgotPasswordPage,
  resetPassword: ResetPasswordPage,
};
