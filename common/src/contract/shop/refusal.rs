//! The reasons to refuse these commands.

use crate::refusals;

refusals! {
    ShopRefusal {
        NotFound CategoryNotFound "category_not_found" "This category does not exist.";
        NotFound OfferNotFound "offer_not_found" "This offer does not exist.";
        Conflict CategoryNameTaken "category_name_taken" "Another category has this name.";
        Conflict OfferNameTaken "offer_name_taken" "Another offer of this category has this name.";
        NotFound CharacterNotFound "character_not_found" "This character does not exist.";
        Forbidden EmailNotVerified "email_not_verified" "Verify your e-mail address before you buy something.";
        Conflict CharacterNotConfirmed "character_not_confirmed" "The game has not confirmed this character yet.";
        Conflict CharacterBeingDeleted "character_being_deleted" "This character will be deleted. Undo its deletion first.";
        Conflict NotEnoughCoins "not_enough_coins" "The account does not have enough coins.";
        Conflict CoinsOwed "coins_owed" "The account owes coins after a refund. It can buy nothing until its balance is zero or more.";
        Conflict CategoryChanged "category_changed" "Another merchant has changed the category. Load it again.";
        Conflict OfferChanged "offer_changed" "Another merchant has changed the offer. Load it again.";
        Conflict CategoriesChanged "categories_changed" "These are not all categories of the shop, each once. Load them again.";
        Conflict OffersChanged "offers_changed" "These are not all offers of the category, each once. Load them again.";
        Conflict StockChanged "stock_changed" "The stock is not as expected. Load the offer again.";
        Conflict StockUnlimited "stock_unlimited" "The offer has no limited stock. Set the stock instead.";
        Conflict StockOutOfRange "stock_out_of_range" "The stock would be less than 0 or more than 1,000,000.";
        Conflict PriceChanged "price_changed" "An offer has another price than expected. Load it again.";
        Conflict OutOfStock "out_of_stock" "An offer does not have enough pieces left.";
        Conflict LimitReached "account_limit_reached" "An account may not buy that many pieces of an offer.";
        Conflict CategoryNotEmpty "category_not_empty" "The category still has offers. Move or destroy them first.";
    }
}
