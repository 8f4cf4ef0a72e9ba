import './mail-links.css';
import { CancelDeletionPage } from './cancel-deletion';
import { ExportPage } from './export';
import { UndoEmailChangePage } from './undo-email-change';
import { VerifyEmailPage } from './verify-email';

export const pages = {
  verifyEmail: VerifyEmailPage,
  undoEmailChange: UndoEmailChangePage,
  export: ExportPage,
  cancelDeletion: CancelDeletionPage,
};
